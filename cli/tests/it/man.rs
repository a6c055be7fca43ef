//! `cargo otp man` and `otp-rs man`: manual pages that `groff` reads without a warning.

use std::process::Command;

use crate::support::{Scratch, files_below, otp_rs, said};

/// A page as shown on a terminal, and groff's messages about it.
fn shown(page: &std::path::Path) -> (String, String) {
    let mut groff = Command::new("groff");
    groff
        .args(["-man", "-Tutf8", "-ww", "-P-cbou", "-rLL=100n"])
        .arg(page);
    let said = said(groff);
    (said.out, said.err)
}

#[test]
fn each_command_has_a_page() {
    let scratch = Scratch::new();
    scratch.cargo_otp("", &["man", "man/man1"]).succeeded();
    let mut ours = otp_rs(&["man", "man/man1"]);
    ours.current_dir(scratch.path(""));
    said(ours).succeeded();
    let pages = files_below(&scratch.path("man"), "1");
    let names: Vec<_> = pages
        .iter()
        .filter_map(|page| page.file_stem()?.to_str())
        .collect();
    for name in [
        "cargo-otp",
        "cargo-otp-build",
        "cargo-otp-shell",
        "otp-rs",
        "otp-rs-gen-types",
    ] {
        assert!(names.contains(&name), "{names:?}");
    }
    // Readers use `man`, but the test needs only groff, which it calls.
    if Command::new("groff").arg("--version").output().is_err() {
        return;
    }
    for page in &pages {
        let (text, warnings) = shown(page);
        assert_eq!(warnings, "", "{}", page.display());
        for title in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES"] {
            let has = text.lines().any(|line| line == title);
            assert!(has, "no {title} in {}:\n{text}", page.display());
        }
    }
    let (build, _) = shown(&scratch.path("man/man1/cargo-otp-build.1"));
    // groff inserts spaces between words to fill the line.
    let words: Vec<&str> = build.split_whitespace().collect();
    assert!(
        words.join(" ").contains("cargo otp build [--release]"),
        "{build}"
    );
    for text in [
        "cargo-otp-build - Build the application",
        "    cargo otp build --release\n",
        "    CARGO_TARGET_DIR=/tmp/target cargo otp build\n",
    ] {
        assert!(build.contains(text), "no {text} in:\n{build}");
    }
    let (program, _) = shown(&scratch.path("man/man1/cargo-otp.1"));
    assert!(program.contains("cargo-otp-build(1)"), "{program}");
    let (run, _) = shown(&scratch.path("man/man1/cargo-otp-run.1"));
    assert!(run.contains("EXIT STATUS"), "{run}");
}

#[test]
fn a_folder_that_cannot_be_made_is_refused() {
    let scratch = Scratch::new();
    scratch.write("file", "");
    scratch
        .cargo_otp("", &["man", "file/man1"])
        .refused(&["error[E0810]: cannot create"]);
}
