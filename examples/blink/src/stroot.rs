//! The application's root supervisor, and its command line.

use otp_bridge::atoms::{any_significant, ok, temporary};
use otp_bridge::supervisor::prelude::*;

use crate::board::Board;
use crate::lights::Lights;
use crate::million::Million;
use crate::receptor::{RECEPTOR, Receptor};

/// Starts the receptor, and the board, the lights or the million.
pub struct Stroot;

/// The parsed command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Show {
    /// Two lights, for some seconds or for ever.
    Board(Option<u64>),
    /// This many lights.
    Lights(u64),
    /// This many tasks.
    Million(u64),
}

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(arguments: Vec<String>) -> Result<impl InitReturn> {
        let show = match Show::parse(&arguments)? {
            Show::Board(seconds) => ChildSpec::of::<Board>(seconds),
            Show::Lights(lights) => ChildSpec::of::<Lights>(lights),
            Show::Million(tasks) => ChildSpec::of::<Million>(tasks),
        };
        let children = vec![
            ChildSpec::of::<Receptor>(()).registered(&RECEPTOR),
            show.restart(temporary).significant(true),
        ];
        Ok((
            ok,
            (
                SupFlags::one_for_one().auto_shutdown(any_significant),
                children,
            ),
        ))
    }
}

impl Show {
    /// Parses the command line: nothing, `SECONDS`, `lights LIGHTS`, or `million [TASKS]`.
    ///
    /// # Errors
    /// `usage`, with the given words.
    pub fn parse(arguments: &[String]) -> Result<Self> {
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let number = |word: &str| word.parse().ok();
        let show = match *words {
            [] => Some(Show::Board(None)),
            ["lights", lights] => number(lights).map(Show::Lights),
            ["million"] => Some(Show::Million(1_000_000)),
            ["million", tasks] => number(tasks).map(Show::Million),
            [seconds] => number(seconds).map(|seconds| Show::Board(Some(seconds))),
            _ => None,
        };
        show.ok_or_else(|| {
            let usage = "usage: cargo otp run -- [SECONDS | lights LIGHTS | million [TASKS]]";
            Exit::new((usage, words.join(" ")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_says_what_is_shown() {
        let parse = |line: &str| {
            let words = line.split_whitespace().map(str::to_owned);
            Show::parse(&words.collect::<Vec<_>>())
        };
        assert_eq!(parse(""), Ok(Show::Board(None)));
        assert_eq!(parse("5"), Ok(Show::Board(Some(5))));
        assert_eq!(parse("million"), Ok(Show::Million(1_000_000)));
        assert_eq!(parse("lights 10"), Ok(Show::Lights(10)));
        assert_eq!(parse("million 10"), Ok(Show::Million(10)));
        for wrong in ["million many", "lights", "soon", "5 5"] {
            let exit = parse(wrong).expect_err("nothing to show");
            assert!(exit.to_string().contains("usage"), "{exit}");
        }
    }
}
