//! The command line.

use std::time::Duration;

use super::{TARGETS, Target};
use crate::step::Outcome;

pub(crate) const USAGE: &str = "\
Usage: cargo xtask fuzz [--list] [--minutes N] [--target NAME...]

  --list       List the targets, with the number of executions in all runs
  --minutes N  Time for each target; default 1
  --target     Run only these targets
";

#[derive(Debug)]
pub(super) struct FuzzOptions {
    pub(super) only_list: bool,
    /// The running time of each target.
    pub(super) time: Duration,
    pub(super) targets: Vec<&'static Target>,
}

impl FuzzOptions {
    pub(super) fn of(arguments: &[&str]) -> Outcome<FuzzOptions> {
        let mut options = FuzzOptions {
            only_list: false,
            time: Duration::from_secs(60),
            targets: Vec::new(),
        };
        let mut before = "";
        for word in arguments {
            match (before, *word) {
                (_, "--list") => options.only_list = true,
                (_, "--minutes" | "--target") => {}
                ("--minutes", number) => options.time = minutes(number)?,
                ("--target", name) => options.targets.push(target(name)?),
                _ => return Err(USAGE.to_owned()),
            }
            // Several names may follow `--target`.
            before = match (before, *word) {
                ("--target", name) if !name.starts_with("--") => before,
                (_, word) => word,
            };
        }
        if ["--minutes", "--target"].contains(arguments.last().unwrap_or(&"")) {
            return Err(USAGE.to_owned());
        }
        if options.targets.is_empty() {
            options.targets = TARGETS.iter().collect();
        }
        Ok(options)
    }
}

fn minutes(number: &str) -> Outcome<Duration> {
    let minutes = number.parse().ok().filter(|number| *number > 0.0);
    let time = minutes.map(|minutes: f64| Duration::try_from_secs_f64(minutes * 60.0));
    time.and_then(Result::ok)
        .ok_or_else(|| format!("`{number}` is not a number of minutes\n\n{USAGE}"))
}

fn target(name: &str) -> Outcome<&'static Target> {
    let found = TARGETS.iter().find(|target| target.name == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        format!("no target `{name}`; there is {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(arguments: &[&str]) -> Vec<&'static str> {
        let options = FuzzOptions::of(arguments).expect("good arguments");
        options.targets.iter().map(|target| target.name).collect()
    }

    #[test]
    fn targets_and_minutes_are_chosen_in_any_order() {
        assert_eq!(names(&[]).len(), TARGETS.len());
        let arguments = [
            "--target",
            "text",
            "beam",
            "--minutes",
            "0.5",
            "--target",
            "etf",
        ];
        assert_eq!(names(&arguments), ["text", "beam", "etf"]);
        let time = FuzzOptions::of(&arguments).expect("good arguments").time;
        assert_eq!(time, Duration::from_secs(30));
    }

    #[test]
    fn wrong_arguments_are_refused() {
        for wrong in [
            &["text"][..],
            &["--minutes"],
            &["--minutes", "-1"],
            &["--minutes", "1", "2"],
            &["--target", "tex"],
            &["--list", "all"],
        ] {
            assert!(FuzzOptions::of(wrong).is_err(), "{wrong:?}");
        }
    }
}
