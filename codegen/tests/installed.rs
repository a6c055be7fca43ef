//! The behaviours of the installed OTP: generated without a complaint, and for the release that
//! the checked-in output is from, byte for byte what is checked in.
#![allow(
    clippy::disallowed_methods,
    reason = "the tests read OTP and the checked-in output"
)]

mod support;

use std::collections::BTreeMap;
use std::path::Path;

use otp_codegen::{
    BRIDGE_BEHAVIOURS, Files, Output, add_callbacks, bridge_options, check, generate, recorded,
};
use otp_specs::types::Module;
use support::installed;

/// The application that a behaviour is from: folder and module.
fn behaviour(libraries: &Path, name: &str) -> (String, Module) {
    let application = std::fs::read_dir(libraries)
        .expect("OTP's libraries")
        .map(|entry| entry.expect("an entry").path())
        .find(|folder| {
            let file = folder.file_name().unwrap_or_default().to_string_lossy();
            let base = file.starts_with("stdlib-") || file.starts_with("kernel-");
            base && folder.join("ebin").join(format!("{name}.beam")).is_file()
        })
        .expect("kernel or stdlib");
    let path = application.join("ebin").join(format!("{name}.beam"));
    let bytes = std::fs::read(&path).expect("a module of kernel or stdlib");
    let mut parsed = otp_specs::parse_beam(&path.to_string_lossy(), &bytes);
    assert_eq!(parsed.diagnostics, []);
    add_callbacks(&mut parsed.module).expect("the forms are read");
    let (module, diagnostics) = otp_specs::resolve(&parsed.module, &mut otp_specs::Trusting);
    assert_eq!(diagnostics, []);
    let application = application.file_name().unwrap_or_default();
    (application.to_string_lossy().into_owned(), module)
}

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
    // The bytes of another release differ by right; what it can generate is checked above.
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

/// What fell back to the dynamic term in the checked-in output only ever gets less.
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
