//! Checks the rules that CONTRIBUTING.md and ARCHITECTURE.md name.

mod architecture;
mod callbacks;
mod checks;
mod codes;
mod columns;
mod folders;
mod modules;
mod packages;
mod paths;
mod platforms;
mod states;
mod tokens;
mod types;

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use otp_tests::application::root;

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns for each crate the workspace's crates that it depends on, without the dependencies of
/// its tests.
fn real_edges() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages").clone();
    let name = |value: &serde_json::Value| value["name"].as_str().unwrap_or_default().to_owned();
    let ours: BTreeSet<String> = packages.iter().map(name).collect();
    let edges = |package: &serde_json::Value| {
        let dependencies = package["dependencies"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let real = dependencies
            .iter()
            .filter(|dependency| dependency["kind"] != "dev");
        real.map(name).filter(|name| ours.contains(name)).collect()
    };
    packages
        .iter()
        .map(|package| (name(package), edges(package)))
        .collect()
}

#[test]
fn crates_depend_only_along_the_table() {
    let allowed = architecture::crates();
    let free = BTreeSet::from(["otp-fuzz", "otp-tests", "otp-tidy", "xtask"].map(str::to_owned));
    for (package, edges) in real_edges() {
        if free.contains(&package) {
            continue;
        }
        let row = allowed
            .get(&package)
            .unwrap_or_else(|| panic!("no row for {package}"));
        let wrong: Vec<_> = edges.difference(row).collect();
        assert!(wrong.is_empty(), "{package} must not depend on {wrong:?}");
    }
}

#[test]
fn every_path_that_the_architecture_names_exists() {
    let text = read("ARCHITECTURE.md");
    let words = text.split('`').skip(1).step_by(2);
    let paths = words.filter(|word| word.contains('/') && !word.contains([' ', '*', '(']));
    let paths: Vec<_> = paths
        .filter(|path| !path.rsplit('/').next().is_some_and(is_arity))
        .collect();
    assert!(paths.len() > 20, "the page names its folders");
    for path in paths {
        assert!(root().join(path).exists(), "ARCHITECTURE.md names {path}");
    }
}

/// `continue/1` is a function, not a path.
fn is_arity(last: &str) -> bool {
    last.parse::<u8>().is_ok()
}

/// Returns the Rust files that people write, with their texts.
fn sources() -> Vec<(String, String)> {
    let generated = ["/generated/", "tests/expectations/"];
    let mut sources = all_sources();
    sources.retain(|(path, _)| !generated.iter().any(|part| path.contains(part)));
    sources
}

/// Returns all Rust files, including generated ones, with their texts.
fn all_sources() -> Vec<(String, String)> {
    let output = Command::new("git")
        .args(["ls-files", "*.rs"])
        .current_dir(root())
        .output();
    let listed = String::from_utf8(output.expect("git runs").stdout).expect("UTF-8");
    // Git also lists a file that is deleted but not yet committed.
    let texts = listed.lines().filter_map(|path| {
        let text = std::fs::read_to_string(root().join(path)).ok()?;
        Some((path.to_owned(), text))
    });
    texts.collect()
}

#[test]
fn no_file_is_a_monster() {
    for (path, text) in sources() {
        let lines = text.lines().count();
        assert!(lines <= 400, "{path} has {lines} lines: split it by kind");
    }
}

/// Tests are exempt, because they may contain tables of any length.
#[test]
fn no_function_is_a_monster() {
    let sources = sources();
    let code = sources.iter().filter(|(path, _)| !path.contains("tests"));
    let mut known = 0;
    for (path, text) in code {
        for (name, lines) in functions(text) {
            known += 1;
            assert!(lines <= 50, "{path}: `{name}` has {lines} lines: split it");
        }
    }
    assert!(known > 1000, "only {known} functions were found");
}

/// Returns the functions of a file, and the number of lines between their braces.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    (0..lines.len())
        .filter_map(|at| function(&lines[at..]))
        .collect()
}

/// Returns the function that begins on the first of these lines, if there is one. In rustfmt's
/// layout, the closing brace has the indentation of the first line.
fn function<'t>(lines: &[&'t str]) -> Option<(&'t str, usize)> {
    let (before, after) = lines.first()?.split_once("fn ")?;
    let qualifiers = ["const", "async", "unsafe", "extern", "\"C\""];
    let is_known = |word: &str| word.starts_with("pub") || qualifiers.contains(&word);
    if !before.split_whitespace().all(is_known) {
        return None;
    }
    let ends = |line: &&str| line.ends_with(['{', ';', '}']);
    let open = lines.iter().position(ends)?;
    let indentation = before.len() - before.trim_start().len();
    let last = format!("{}}}", &before[..indentation]);
    let body = lines[open + 1..].iter().position(|line| *line == last);
    let body = body.filter(|_| lines[open].ends_with('{'))?;
    let end = after.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    Some((&after[..end], body))
}

#[test]
fn no_snapshot_waits_for_review() {
    let output = Command::new("git")
        .args(["ls-files", "*.snap.new"])
        .current_dir(root())
        .output();
    let listed = String::from_utf8(output.expect("git runs").stdout).expect("UTF-8");
    assert!(listed.is_empty(), "review and remove {listed}");
}
