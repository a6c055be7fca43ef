//! What ARCHITECTURE.md says of the house is so.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use otp_bridge_novm as _;
use otp_tests::application::root;

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The rows of ARCHITECTURE.md's table: crate → crates it may depend on.
fn allowed_edges() -> BTreeMap<String, BTreeSet<String>> {
    let quoted = |cell: &str| {
        cell.split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect()
    };
    let text = read("ARCHITECTURE.md");
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    rows.filter(|row| !row.contains("anything"))
        .filter_map(|row| {
            let mut cells = row.split('|').skip(1);
            let name: BTreeSet<String> = quoted(cells.next()?);
            Some((name.into_iter().next()?, quoted(cells.next()?)))
        })
        .collect()
}

/// Crate → the workspace's crates that it depends on, tests aside.
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
    let allowed = allowed_edges();
    let free = BTreeSet::from(["otp-tests".to_owned(), "xtask".to_owned()]);
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
    assert!(paths.len() > 20, "the page names its rooms");
    for path in paths {
        assert!(root().join(path).exists(), "ARCHITECTURE.md names {path}");
    }
}

/// `continue/1` is a function, not a path.
fn is_arity(last: &str) -> bool {
    last.parse::<u8>().is_ok()
}

#[test]
fn no_source_file_is_a_monster() {
    let output = Command::new("git")
        .args(["ls-files", "*.rs"])
        .current_dir(root())
        .output();
    let listed = String::from_utf8(output.expect("git runs").stdout).expect("UTF-8");
    let generated = ["/generated/", "tests/expectations/"];
    let ours = listed
        .lines()
        .filter(|path| !generated.iter().any(|part| path.contains(part)));
    for path in ours {
        // A file deleted but not committed yet is listed all the same.
        let Ok(text) = std::fs::read_to_string(root().join(path)) else {
            continue;
        };
        let lines = text.lines().count();
        assert!(lines <= 500, "{path} has {lines} lines: split it by kind");
    }
}
