//! Help, versions, and invalid command lines.

use crate::support::{Scratch, otp_rs, said};

#[test]
fn help_goes_to_standard_output_with_examples() {
    let scratch = Scratch::new();
    for verb in [
        "new",
        "add",
        "build",
        "run",
        "release",
        "clean",
        "tree",
        "shell",
        "doctor",
        "man",
        "upgrade",
        "upgrading",
    ] {
        let said = scratch.cargo_otp("", &[verb, "--help"]);
        said.succeeded();
        assert!(said.out.contains("Examples:\n  cargo otp "), "{}", said.out);
        assert!(
            said.out.contains(&format!("Usage: cargo otp {verb}")),
            "{}",
            said.out
        );
    }
    for verb in [
        "forms",
        "gen-types",
        "types",
        "schema",
        "explain",
        "completions",
    ] {
        let said = said(otp_rs(&[verb, "--help"]));
        said.succeeded();
        assert!(
            said.out.contains("Examples:\n") && said.out.contains(&format!("\n  otp-rs {verb} ")),
            "{}",
            said.out
        );
    }
}

#[test]
fn an_unknown_command_or_option_is_the_users_mistake() {
    let scratch = Scratch::new();
    scratch
        .cargo_otp("", &["biuld"])
        .refused(&["biuld", "build"]);
    scratch
        .cargo_otp("", &["build", "--fast"])
        .refused(&["--fast"]);
    scratch.cargo_otp("", &["new"]).refused(&["NAME"]);
    scratch.cargo_otp("", &[]).refused(&["Usage: cargo otp"]);
    scratch
        .cargo_otp("", &["run", "1000"])
        .refused(&["1000", "--"]);
    said(otp_rs(&[])).refused(&["Usage: otp-rs"]);
}

#[test]
fn both_programs_tell_their_version() {
    let scratch = Scratch::new();
    for said in [
        scratch.cargo_otp("", &["--version"]),
        said(otp_rs(&["--version"])),
    ] {
        said.succeeded();
        assert!(said.out.contains(env!("CARGO_PKG_VERSION")), "{}", said.out);
    }
}

#[test]
fn what_changed_since_the_applications_version_is_printed() {
    let scratch = Scratch::with_application();
    let all = scratch.cargo_otp("shop", &["upgrading"]);
    all.succeeded();
    assert!(all.out.starts_with("Unreleased\n\n"), "{}", all.out);
    assert!(!all.out.contains("```"), "{}", all.out);
    let newer = scratch.cargo_otp("", &["upgrading", "--from", "99.0.0"]);
    newer.succeeded();
    assert!(newer.out.starts_with("Unreleased\n\n"), "{}", newer.out);
    scratch
        .cargo_otp("", &["upgrading", "--from", "new"])
        .refused(&["error[E0930]: `new` is not a version"]);
}
