//! Checks that every function that rustler declares has a stand-in.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the folder of rustler's sources, from Cargo.
fn rustler_sources() -> PathBuf {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let text = String::from_utf8(metadata.stdout).expect("cargo writes UTF-8");
    let manifest = text
        .split("\"manifest_path\":\"")
        .filter_map(|rest| rest.split('"').next())
        .find(|path| path.contains("/rustler-0."))
        .expect("otp-bridge depends on rustler");
    Path::new(manifest)
        .parent()
        .expect("a manifest is in a folder")
        .to_owned()
}

/// Returns the names that `extern` blocks of a file declare.
fn declared(file: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(file).expect("the file is there");
    let lines = text.lines().skip_while(|line| !line.starts_with("extern"));
    lines
        .take_while(|line| !line.starts_with('}'))
        .filter_map(|line| {
            let start = line
                .find("fn enif_")
                .map(|at| at + 3)
                .or(line.find("\"enif_").map(|at| at + 1))?;
            let name = &line[start..];
            let end =
                name.find(|character: char| !character.is_alphanumeric() && character != '_')?;
            Some(name[..end].to_owned())
        })
        .collect()
}

#[test]
fn every_function_that_rustler_declares_is_defined() {
    let source = include_str!("../src/lib.rs");
    let list = source
        .split("stand_ins! {")
        .nth(1)
        .expect("the list is there");
    let defined: BTreeSet<&str> = list.split_whitespace().collect();
    let headers = rustler_sources().join("otp_headers");
    let mut seen = 0;
    for version in std::fs::read_dir(headers)
        .expect("rustler has headers")
        .flatten()
    {
        let file = version.path().join("api.8.direct.rs");
        for name in file.exists().then(|| declared(&file)).into_iter().flatten() {
            seen += 1;
            assert!(
                defined.contains(name.as_str()),
                "{name} of {} has no stand-in",
                file.display()
            );
        }
    }
    assert!(seen > 500, "only {seen} declarations were read");
}
