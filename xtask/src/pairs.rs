//! `cargo xtask pairs`: checks that the compiler refuses wrong programs, with and without the
//! feature `json`, and accepts correct ones.

use crate::lints;
use crate::step::{Outcome, cargo, heading, root};

/// The arguments of the test without `json`. All packages that do not enable `json` are selected,
/// because cargo then builds crates with the features that all other tests use.
const WITHOUT_JSON: [&str; 7] = [
    "--workspace",
    "--exclude",
    "otp-cli",
    "--exclude",
    "otp-fuzz",
    "--test",
    "pairs",
];

pub(crate) fn task() -> Outcome {
    heading("pairs");
    without_json()?;
    heading("pairs with json");
    let package = ["--package", "otp-tests", "--features", "json"];
    test(&[&package[..], &["--test", "pairs"]].concat())?;
    heading("cargo otp check");
    test(&["--package", "otp-cli", "--test", "it", "check"])?;
    heading("numbers");
    let numbers = ["--", "--nocapture", "the_page_of_checks_has_the_numbers"];
    test(&[&WITHOUT_JSON[..], &numbers].concat())
}

/// Runs the pairs with derives that generate no JSON code, as most applications use them.
pub(crate) fn without_json() -> Outcome {
    test(&WITHOUT_JSON)
}

fn test(arguments: &[&str]) -> Outcome {
    lints::while_building(&mut cargo(root(), &[&["test"], arguments].concat()))
}
