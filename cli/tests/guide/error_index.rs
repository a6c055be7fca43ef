//! The index of errors: a line for each page that `otp-rs explain` has.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use crate::chapter;

/// What the first two digits of a code say.
const PARTS: &[(&str, &str)] = &[
    ("E01", "Characters and tokens of Erlang sources"),
    ("E02", "Macros and files that sources include"),
    ("E03", "Forms of Erlang sources"),
    ("E04", "BEAM files and documentation chunks"),
    ("E05", "Types and what they name"),
    ("E06", "Overrides in otp.toml"),
    ("E07", "Generating Rust"),
    ("E08", "The command line, files, Erlang/OTP"),
    ("E09", "otp.toml and the application"),
    ("E10", "Building, running, releasing, and nodes"),
];

const HEAD: &str = "\
# Index of errors

<!-- Written by `GUIDE=overwrite cargo test -p otp-cli --test guide -- the_index_of_errors_is_complete`. -->

Each error and warning of `cargo otp` and `otp-rs` has a code and a page. `cargo otp explain E0902` shows it in the terminal, and
`cargo otp explain` lists all with their messages. Errors of the Rust compiler about callbacks have no code of ours.
";

/// The folder of a page.
fn page(code: &str) -> Option<String> {
    let mut pages = ["specs", "codegen", "cli"]
        .iter()
        .map(|part| format!("{part}/errors/{code}.md"));
    pages.find(|page| chapter::root().join(page).exists())
}

fn index() -> String {
    let listed = Command::new(env!("CARGO_BIN_EXE_otp-rs"))
        .arg("explain")
        .output();
    let listed = String::from_utf8(listed.expect("otp-rs runs").stdout).expect("UTF-8");
    let mut rows: BTreeMap<&str, String> = BTreeMap::new();
    for line in listed.lines() {
        let (code, _) = line.split_once("  ").unwrap_or_else(|| panic!("{line}"));
        let page = page(code).unwrap_or_else(|| panic!("{code} has no page"));
        let part = PARTS.iter().find(|(digits, _)| code.starts_with(digits));
        let (_, title) = part.unwrap_or_else(|| panic!("{code} is in no part"));
        let link = format!("[{code}](../../{page})\n");
        rows.entry(title).or_default().push_str(&link);
    }
    let parts = PARTS.iter().filter_map(|(_, title)| {
        let rows = rows.get(title)?;
        Some(format!("\n## {title}\n\n{rows}"))
    });
    HEAD.to_owned() + &parts.collect::<String>()
}

#[test]
fn the_index_of_errors_is_complete() {
    let path = chapter::folder().join("errors.md");
    let index = index();
    if std::env::var_os("GUIDE").is_some_and(|value| value == "overwrite") {
        fs::write(&path, &index).expect("the index");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == index,
        "docs/guide/errors.md is out of date: run `GUIDE=overwrite cargo test -p otp-cli --test guide -- \
         the_index_of_errors_is_complete` and commit what it writes"
    );
}
