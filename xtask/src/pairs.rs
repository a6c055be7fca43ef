//! `cargo xtask pairs`: checks that the compiler refuses wrong programs, with and without the
//! feature `json`, and accepts correct ones.

use crate::lints;
use crate::step::{Outcome, cargo, heading, root};

/// The arguments of the test without `json`.
const PAIRS: [&str; 4] = ["--package", "otp-tests", "--test", "pairs"];

pub(crate) fn task() -> Outcome {
    heading("pairs");
    test(&PAIRS)?;
    heading("pairs with json");
    with_json()?;
    heading("cargo otp check");
    test(&["--package", "otp-cli", "--test", "it", "check"])?;
    heading("numbers");
    let numbers = ["--", "--nocapture", "the_page_of_checks_has_the_numbers"];
    test(&[&PAIRS[..], &numbers].concat())
}

/// Runs the pairs with derives that also generate JSON code.
pub(crate) fn with_json() -> Outcome {
    test(&[&PAIRS[..], &["--features", "json"]].concat())
}

fn test(arguments: &[&str]) -> Outcome {
    lints::while_building(&mut cargo(root(), &[&["test"], arguments].concat()))
}
