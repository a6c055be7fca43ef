//! The behaviours of the installed OTP are generated without diagnostics. For the release of the
//! checked-in output, the result equals that output byte for byte.
#![allow(
    clippy::disallowed_methods,
    reason = "the tests read OTP and the checked-in output"
)]

mod support;

use std::collections::BTreeMap;
use std::path::Path;

use otp_codegen::{BRIDGE_BEHAVIOURS, Files, Output, bridge_options, check, generate, recorded};
use support::{behaviour, installed};

fn fresh() -> (Output, String) {
    let (stdlib, release) = installed();
    let libraries = stdlib.parent().expect("OTP's libraries");
    let mut modules = Vec::new();
    let mut applications = BTreeMap::new();
    for name in BRIDGE_BEHAVIOURS {
        let (application, module) = behaviour(libraries, name);
        modules.push(module);
        applications.insert(name.to_owned(), application);
    }
    (
        generate(&modules, &bridge_options(&release, applications)),
        release,
    )
}

fn checked_in() -> Files {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bridge/src/generated");
    let mut files = Files::default();
    for entry in std::fs::read_dir(folder).expect("the checked-in output") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        files.insert(name, std::fs::read_to_string(&path).expect("a text"));
    }
    files
}

#[test]
fn the_checked_in_output_is_fresh() {
    let (output, release) = fresh();
    assert_eq!(output.diagnostics, []);
    let existing = checked_in();
    let recorded = recorded(&existing).expect("a head line");
    // The output of another release may differ; the check above covers what it can generate.
    if recorded.release == release {
        let differences: Vec<String> = check(&existing, &output.files)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert!(
            differences.is_empty(),
            "run `cargo xtask codegen`: {differences:#?}"
        );
    }
}

/// The number of types in the checked-in output that fell back to the dynamic term may only
/// decrease.
#[test]
fn the_checked_in_output_is_precise() {
    let (output, _) = fresh();
    let share = output.report.fallbacks() * 100 / output.report.positions();
    assert!(
        share <= 3,
        "{} of {} positions",
        output.report.fallbacks(),
        output.report.positions()
    );
}
