//! `cargo xtask pairs`: wrong programs are refused, with and without the feature `json`, and right
//! ones pass.

use crate::step::{Outcome, cargo, heading, root, run};

pub(crate) fn task() -> Outcome {
    step("pairs", &["--package", "otp-tests", "--test", "pairs"])?;
    let with_json = [
        "--package",
        "otp-tests",
        "--test",
        "pairs",
        "--features",
        "json",
    ];
    step("pairs with json", &with_json)?;
    step(
        "cargo otp check",
        &["--package", "otp-cli", "--test", "it", "check"],
    )?;
    let numbers = "the_page_of_checks_has_the_numbers";
    step(
        "numbers",
        &[
            "--package",
            "otp-tests",
            "--test",
            "pairs",
            "--",
            "--nocapture",
            numbers,
        ],
    )
}

fn step(name: &str, tests: &[&str]) -> Outcome {
    heading(name);
    run(&mut cargo(&root(), &[&["test"], tests].concat()))
}
