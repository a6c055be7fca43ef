//! All lock files of the repository have one version of each crate, so that applications can share
//! build results.

use std::collections::BTreeMap;
use std::process::Command;

use crate::{read, root};

/// Returns the lock files in git, that of the workspace first.
fn lock_files() -> Vec<String> {
    let output = Command::new("git")
        .args(["ls-files", "*Cargo.lock"])
        .current_dir(root())
        .output();
    let listed = String::from_utf8(output.expect("git runs").stdout).expect("UTF-8");
    let mut files: Vec<String> = listed.lines().map(str::to_owned).collect();
    files.sort_by_key(|file| file != "Cargo.lock");
    files
}

/// Returns the crates from a registry, with their versions.
fn crates(lock: &str) -> Vec<(&str, &str)> {
    let packages = lock.split("[[package]]\n").skip(1);
    let of_registry = packages.filter(|package| package.contains("\nsource = "));
    of_registry
        .map(|package| {
            let value = |key: &str| {
                let mut lines = package.lines();
                let found = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \""));
                found.and_then(|rest| rest.strip_suffix('"')).expect(key)
            };
            (value("name"), value("version"))
        })
        .collect()
}

/// Returns the part of a version that decides whether cargo can unify it with another: `1` of
/// 1.2.3, `0.2` of 0.2.3, and all of 0.0.3.
fn compatible(version: &str) -> &str {
    let significant = |numbers: usize| {
        let mut dots = version.match_indices('.').skip(numbers - 1);
        dots.next().map_or(version, |(at, _)| &version[..at])
    };
    match version {
        _ if version.starts_with("0.0.") => version,
        _ if version.starts_with("0.") => significant(2),
        _ => significant(1),
    }
}

/// Returns the commands that make a lock file agree with the ones before it.
fn differences(locks: &[(String, String)]) -> Vec<String> {
    let mut known: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    let mut differences = Vec::new();
    for (file, lock) in locks {
        for (name, version) in crates(lock) {
            let first = *known.entry((name, compatible(version))).or_insert(version);
            if first != version {
                let manifest = file.replace("Cargo.lock", "Cargo.toml");
                differences.push(format!(
                    "cargo update --manifest-path {manifest} --package {name}@{version} --precise {first}"
                ));
            }
        }
    }
    differences
}

#[test]
fn all_lock_files_have_one_version_of_a_crate() {
    let files = lock_files().into_iter();
    let locks: Vec<_> = files.map(|file| (file.clone(), read(&file))).collect();
    assert!(locks.len() > 20, "{} lock files were found", locks.len());
    let differences = differences(&locks);
    assert!(
        differences.is_empty(),
        "crates would be built several times: run\n{}",
        differences.join("\n")
    );
}

#[test]
fn a_difference_is_one_of_versions_that_cargo_takes_for_each_other() {
    let lock = |versions: &[&str]| {
        let package = |version: &&str| {
            format!("[[package]]\nname = \"a\"\nversion = \"{version}\"\nsource = \"registry\"\n")
        };
        let own = "[[package]]\nname = \"a\"\nversion = \"3.0.0\"\n".to_owned();
        versions
            .iter()
            .map(package)
            .chain([own])
            .collect::<String>()
    };
    let locks = [
        ("Cargo.lock".to_owned(), lock(&["1.2.3", "0.2.1"])),
        (
            "x/Cargo.lock".to_owned(),
            lock(&["1.3.0", "2.0.0", "0.3.0"]),
        ),
        ("y/Cargo.lock".to_owned(), lock(&["0.2.1", "3.0.1"])),
    ];
    let run = "cargo update --manifest-path x/Cargo.toml --package a@1.3.0 --precise 1.2.3";
    assert_eq!(differences(&locks), [run]);
}
