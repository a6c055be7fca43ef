//! `cargo xtask soak`: ends servers at arbitrary points for a long time, and checks that memory
//! stays flat.

use std::process::Command;

use crate::erlang;
use crate::step::{self, Outcome, heading, root, run};

pub(crate) const USAGE: &str = "\
Usage: cargo xtask soak [--minutes N]

  --minutes N  How long the mix of loads runs; default 5

Runs the servers of tests/apps/chaos in one VM, with kills, panics and exits at every await point, 100,000 processes at once,
100,000 messages in a mailbox, lost nodes, dropped callers, and resources, timers and children that come and go. About every
10 seconds, the command prints a line with memory and counts, and at the end, how calls and processes ended. To detect leaks, it
compares the last quarter of these lines with the second quarter, by their medians: the last one may be higher by 5 % and 2 MB of
memory, 50 atoms, 3 processes, but no Rust state or resource. For RSS, it compares the minimums, which may differ by 25 % or
32 MB, whichever is more. The memory of the VM includes Rust's. Finally, 1,000,000 processes start, answer and end, which needs
about 4 GB.

Exits with 1 if a call ended differently than in OTP, if something has grown, or if one of the 1,000,000 processes failed.

Example: cargo xtask soak --minutes 60
";

/// The Erlang script with the mix of loads.
const SCRIPT: &str = "tests/live/chaos_soak.escript";
const APPLICATION: &str = "tests/apps/chaos";

pub(crate) fn task(arguments: &[&str]) -> Outcome {
    let minutes = minutes(arguments, USAGE)?;
    erlang::to_run()?;
    heading("Build");
    let target = step::build_release(APPLICATION)?;
    heading(&format!("{minutes} minutes of everything"));
    run(Command::new("escript")
        .arg(root().join(SCRIPT))
        .arg(target.join("otp/release/chaos/ebin"))
        .arg(minutes.to_string()))
}

/// Returns the number in `--minutes N`, by default 5.
pub(crate) fn minutes(arguments: &[&str], usage: &str) -> Outcome<f64> {
    let number = match arguments {
        [] => return Ok(5.0),
        ["--minutes", number] => number,
        _ => return Err(usage.to_owned()),
    };
    let minutes = number.parse().ok();
    minutes
        .filter(|minutes: &f64| minutes.is_finite() && *minutes > 0.0)
        .ok_or_else(|| format!("`{number}` is not a number of minutes\n\n{usage}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_positive_numbers() {
        assert_eq!(minutes(&[], USAGE), Ok(5.0));
        assert_eq!(minutes(&["--minutes", "0.5"], USAGE), Ok(0.5));
        assert_eq!(minutes(&["--minutes", "60"], USAGE), Ok(60.0));
        for wrong in ["0", "-1", "NaN", "inf", "an hour", ""] {
            let problem = minutes(&["--minutes", wrong], USAGE).unwrap_err();
            assert!(problem.contains("is not a number of minutes"), "{problem}");
        }
    }

    #[test]
    fn an_unknown_option_shows_the_usage() {
        assert_eq!(task(&["--hours", "1"]), Err(USAGE.to_owned()));
        assert_eq!(task(&["--minutes"]), Err(USAGE.to_owned()));
    }
}
