//! Only the files that architecture.toml names may depend on the operating system or the processor.

use std::collections::BTreeSet;

use crate::{read, sources};

/// Marks of source that depends on the system or the processor.
const MARKS: [&str; 13] = [
    "cfg(unix",
    "cfg(not(unix",
    "cfg(all(unix",
    "cfg(windows",
    "cfg!(unix",
    "cfg!(windows",
    "target_os",
    "target_arch",
    "target_env",
    "target_vendor",
    "libc::",
    "std::os::",
    "env::consts",
];

/// Crates of this repository's dependencies that do.
const CRATES: [&str; 2] = ["rustix::", "signal_hook::"];

/// Returns the listed files.
fn named() -> BTreeSet<String> {
    let text = read("architecture.toml");
    let rows = text.lines().skip_while(|line| *line != "[\"the system\"]");
    let files = rows.filter_map(|row| row.strip_prefix('"')?.split_once("\" = "));
    files.map(|(file, _)| file.to_owned()).collect()
}

/// Tests, measuring programs and unpublished code may be for Linux only.
fn is_published(path: &str) -> bool {
    let folders = [
        "bindings/",
        "bridge/",
        "cli/",
        "codegen/",
        "contract/",
        "specs/",
        "xtask/",
    ];
    let is_inside = folders.iter().any(|folder| path.starts_with(folder)) && path.contains("src/");
    is_inside && !path.contains("/tests/") && !path.ends_with("tests.rs")
}

/// Returns the part before the tests.
fn code(text: &str) -> &str {
    text.split_once("\n#[cfg(test)]\nmod tests {")
        .map_or(text, |(code, _)| code)
}

#[test]
fn the_system_is_asked_for_in_known_files_only() {
    let marks: Vec<&str> = MARKS.into_iter().chain(CRATES).collect();
    let asks = |text: &str| {
        let lines = code(text)
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        lines
            .into_iter()
            .any(|line| marks.iter().any(|mark| line.contains(mark)))
    };
    let found: BTreeSet<String> = sources()
        .into_iter()
        .filter(|(path, text)| is_published(path) && asks(text))
        .map(|(path, _)| path)
        .collect();
    let named = named();
    let more: Vec<_> = found.difference(&named).collect();
    assert!(
        more.is_empty(),
        "{more:?} ask which system it is: cli/src/platform has names and calls for `cargo otp`, and architecture.toml the other files"
    );
    let fewer: Vec<_> = named.difference(&found).collect();
    assert!(
        fewer.is_empty(),
        "architecture.toml names {fewer:?}, which do not ask"
    );
}
