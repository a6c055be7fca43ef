//! The behaviours of the installed OTP: generated without a complaint, and for the release that
//! the checked-in output is from, byte for byte what is checked in.
#![allow(
    clippy::disallowed_methods,
    reason = "the tests read OTP and the checked-in output"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use otp_codegen::{BRIDGE_BEHAVIOURS, Files, Output, bridge_options, check, generate, recorded};
use otp_specs::types::Module;

/// Root folder and release of the OTP whose `erl` is on PATH.
fn installed() -> (PathBuf, String) {
    let program =
        "io:format(\"~ts~n~ts\", [code:lib_dir(stdlib), erlang:system_info(otp_release)]), halt().";
    let output = Command::new("erl")
        .args(["-noinput", "-boot", "start_clean", "-eval", program])
        .output()
        .expect("`erl` is on PATH: `cargo xtask test` installs it");
    let text = String::from_utf8(output.stdout).expect("paths are UTF-8");
    let (folder, release) = text.trim().split_once('\n').expect("two lines");
    (PathBuf::from(folder), release.to_owned())
}

fn behaviour(stdlib: &Path, name: &str) -> Module {
    let path = stdlib.join("ebin").join(format!("{name}.beam"));
    let bytes = std::fs::read(&path).expect("a module of stdlib");
    let parsed = otp_specs::parse_beam(&path.to_string_lossy(), &bytes);
    assert_eq!(parsed.diagnostics, []);
    let (module, diagnostics) = otp_specs::resolve(&parsed.module, &mut otp_specs::Trusting);
    assert_eq!(diagnostics, []);
    module
}

fn fresh() -> (Output, String) {
    let (stdlib, release) = installed();
    let application = stdlib
        .file_name()
        .expect("a folder")
        .to_string_lossy()
        .into_owned();
    let modules: Vec<Module> = BRIDGE_BEHAVIOURS
        .iter()
        .map(|name| behaviour(&stdlib, name))
        .collect();
    let applications: BTreeMap<String, String> = BRIDGE_BEHAVIOURS
        .iter()
        .map(|name| ((*name).to_owned(), application.clone()))
        .collect();
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
