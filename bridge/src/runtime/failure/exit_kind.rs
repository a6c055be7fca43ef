//! A short classification of failures: to choose an HTTP status, or to decide about a retry.

use super::exit::{Exit, Result};
use super::exit_of_error::exit_of;
use crate::Term;
use std::error::Error;
use std::panic::Location;

/// The class of an operation's failure: [`Exit::kind`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExitKind {
    /// The process does not exist (`noproc`), or has ended during the call, in order (`normal`,
    /// `shutdown`) or by a kill; or the client's own process has ended (`client_down`).
    NoProcess,
    /// The other node is unreachable: `{nodedown, Node}`, `noconnection`.
    NoConnection,
    /// No reply arrived in time: `timeout`.
    Timeout,
    /// The system is overloaded: `{overload, Capacity}`, `system_limit`.
    Overload,
    /// A panic of the called process, or of the task.
    Panic,
    /// A shared resource is not open: `{unavailable, Name, Why}` ([`shared!`](crate::shared!)).
    Unavailable,
    /// Any other reason.
    Other,
}

/// The deepest level at which the reason is looked for:
/// `{{{panic, Details}, Stack}, {gen_server, call, Arguments}}`.
const LEVELS: usize = 4;

impl Exit {
    /// Returns why the operation has failed, from the first word of the reason.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::process::ExitKind;
    /// use otp_bridge::{Exit, atom};
    ///
    /// let exit = Exit::new((atom!("noproc"), (atom!("gen_server"), atom!("call"), [atom!("till")])));
    /// assert_eq!(exit.kind(), ExitKind::NoProcess);
    /// ```
    #[must_use]
    pub fn kind(&self) -> ExitKind {
        let mut reason = self.reason();
        for _ in 0..LEVELS {
            match reason {
                Term::Atom(word) => return of_word(word.text()),
                Term::Tuple(elements) => match elements.first() {
                    Some(first) => reason = first,
                    None => break,
                },
                _ => break,
            }
        }
        ExitKind::Other
    }
}

fn of_word(word: &str) -> ExitKind {
    match word {
        "noproc" | "normal" | "shutdown" | "killed" | "client_down" => ExitKind::NoProcess,
        "nodedown" | "noconnection" => ExitKind::NoConnection,
        "timeout" => ExitKind::Timeout,
        "overload" | "system_limit" => ExitKind::Overload,
        "panic" => ExitKind::Panic,
        "unavailable" => ExitKind::Unavailable,
        _ => ExitKind::Other,
    }
}

/// `?` for an error of any other crate: `pool.acquire().await.or_exit()?`.
pub trait OrExit<T> {
    /// Converts an error into an [`Exit`] at the line of the call. Its reason is the text of the
    /// error and of all its causes, as a binary: `<<"error connecting: connection refused">>`.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::prelude::*;
    ///
    /// fn port(text: &str) -> Result<u16> {
    ///     Ok(text.parse().or_exit()?)
    /// }
    ///
    /// let why = port("http").map_err(|exit| exit.reason().to_string());
    /// assert_eq!(why, Err("<<\"invalid digit found in string\">>".to_owned()));
    /// ```
    ///
    /// # Errors
    /// The error of the result.
    fn or_exit(self) -> Result<T>;
}

impl<T, E: Error> OrExit<T> for std::result::Result<T, E> {
    #[track_caller]
    fn or_exit(self) -> Result<T> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(exit_of(&error, Location::caller())),
        }
    }
}

/// Returns the text of an error and its causes. The text of some errors includes that of their
/// cause, which is then not repeated.
pub(in crate::runtime) fn text(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let why = error.to_string();
        if !text.contains(&why) {
            text = format!("{text}: {why}");
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Atom, ToTerm, atom};

    fn kind(reason: impl ToTerm) -> ExitKind {
        Exit::new(reason).kind()
    }

    #[test]
    fn reasons_of_otp_and_of_the_library_have_their_kinds() {
        let call = || (atom!("gen_server"), atom!("call"), [atom!("till")]);
        assert_eq!(kind((atom!("noproc"), call())), ExitKind::NoProcess);
        assert_eq!(kind(atom!("normal")), ExitKind::NoProcess);
        assert_eq!(kind((atom!("shutdown"), 5)), ExitKind::NoProcess);
        assert_eq!(kind((atom!("timeout"), call())), ExitKind::Timeout);
        assert_eq!(kind((atom!("overload"), 100)), ExitKind::Overload);
        let node = Atom::new("a@b").expect("an atom");
        let down = ((atom!("nodedown"), node), call());
        assert_eq!(kind(down), ExitKind::NoConnection);
        let panic = (atom!("panic"), "index out of bounds");
        assert_eq!(kind(((panic, [0_u64; 0]), call())), ExitKind::Panic);
        assert_eq!(kind("words"), ExitKind::Other);
        assert_eq!(kind(Vec::<u64>::new()), ExitKind::Other);
        assert_eq!(kind(Term::Tuple(Vec::new().into())), ExitKind::Other);
    }

    #[test]
    fn an_error_is_told_with_what_caused_it_at_the_line_of_the_call() {
        #[derive(Debug)]
        struct Outer(std::num::ParseIntError);
        impl std::fmt::Display for Outer {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("not a port")
            }
        }
        impl Error for Outer {
            fn source(&self) -> Option<&(dyn Error + 'static)> {
                Some(&self.0)
            }
        }
        let failed: std::result::Result<u16, _> = "x".parse::<u16>().map_err(Outer);
        let exit = failed.or_exit().expect_err("it is an error");
        let expected = "<<\"not a port: invalid digit found in string\">>";
        assert_eq!(exit.reason().to_string(), expected);
        assert_eq!(exit.location().line(), line!() - 3);
    }
}
