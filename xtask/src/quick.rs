//! `cargo xtask test quick`: a short check after an edit.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::applications::{self, selecting};
use crate::step::{self, Outcome, cargo, heading, root, run, say};

/// The folders of the applications.
const APPLICATIONS: [&str; 2] = ["examples", "tests/apps"];

/// Arguments for Clippy.
const DENIED: [&str; 3] = ["--", "-D", "warnings"];

/// Checks format and structure, then lints and tests the packages that have changed since the last
/// commit. Without changes, uses the packages of the last commit.
pub(crate) fn task() -> Outcome {
    let changed = changed_files()?;
    heading("format and structure");
    run(&mut cargo(root(), &["fmt", "--all", "--check"]))?;
    let structure = ["test", "--quiet", "--package", "otp-tidy"];
    run(&mut cargo(root(), &structure))?;
    let (of_applications, of_workspace) = changed.into_iter().partition(|file| {
        APPLICATIONS
            .iter()
            .any(|it| file.starts_with(root().join(it)))
    });
    in_workspace(&of_workspace)?;
    in_applications(&of_applications)?;
    say("\nThe tests that start a VM have not run: `cargo xtask test` has them all.\n");
    Ok(())
}

/// Lints and tests the packages of these files in the workspace.
fn in_workspace(changed: &BTreeSet<PathBuf>) -> Outcome {
    let metadata = step::metadata(root())?;
    let packages = packages(&metadata, changed);
    if packages.is_empty() {
        return Ok(());
    }
    heading(&format!("changed: {}", packages.join(", ")));
    let names: Vec<&str> = packages.iter().map(String::as_str).collect();
    let lint = ["clippy", "--all-targets"];
    let lint = [&lint[..], &selecting(&names), &DENIED].concat();
    run(&mut cargo(root(), &lint))?;
    let libraries = with_unit_tests(&metadata, &names, |kind| kind != "bin");
    let programs = with_unit_tests(&metadata, &names, |kind| kind == "bin");
    for (kind, packages) in [("--lib", libraries), ("--bins", programs)] {
        if !packages.is_empty() {
            let units = ["test", "--quiet", kind];
            run(&mut cargo(
                root(),
                &[&units[..], &selecting(&packages)].concat(),
            ))?;
        }
    }
    Ok(())
}

/// Returns the packages whose library or programs have unit tests.
fn with_unit_tests<'name>(
    metadata: &Value,
    packages: &[&'name str],
    is_wanted: impl Fn(&str) -> bool,
) -> Vec<&'name str> {
    let is_unit = |target: &Value| {
        let kind = target["kind"][0].as_str().unwrap_or_default();
        let is_code = ["lib", "proc-macro", "bin"].contains(&kind);
        is_code && target["test"] == true && is_wanted(kind)
    };
    let has_units = |name: &&&str| {
        let mut all = metadata["packages"].as_array().into_iter().flatten();
        let package = all.find(|package| package["name"] == **name);
        let targets = package.and_then(|it| it["targets"].as_array());
        targets.into_iter().flatten().any(is_unit)
    };
    packages.iter().filter(has_units).copied().collect()
}

/// Lints the applications of these files.
fn in_applications(changed: &BTreeSet<PathBuf>) -> Outcome {
    for application in APPLICATIONS.iter().map(|it| applications::below(it)) {
        for application in application? {
            let folder = &application.folder;
            if changed.iter().any(|file| file.starts_with(folder)) {
                heading(&format!("changed: {}", shown(folder)));
                let lint = ["clippy", "--all-targets"];
                let lint = [&lint[..], &selecting(&application.packages()), &DENIED].concat();
                run(&mut applications::in_workspace(&lint))?;
            }
        }
    }
    Ok(())
}

fn shown(folder: &Path) -> String {
    folder
        .strip_prefix(root())
        .unwrap_or(folder)
        .display()
        .to_string()
}

fn changed_files() -> Outcome<BTreeSet<PathBuf>> {
    let mut changed = git(&["diff", "--name-only", "HEAD"])?;
    changed.extend(git(&["ls-files", "--others", "--exclude-standard"])?);
    if changed.is_empty() {
        changed = git(&["diff", "--name-only", "HEAD~1"])?;
    }
    Ok(changed)
}

fn git(arguments: &[&str]) -> Outcome<BTreeSet<PathBuf>> {
    let mut git = Command::new("git");
    let output = git.args(arguments).current_dir(root()).output();
    let output = output.map_err(|error| format!("cannot run `git`: {error}"))?;
    if !output.status.success() {
        let problem = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`git {}` failed: {problem}", arguments.join(" ")));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().map(|line| root().join(line)).collect())
}

/// Returns the packages of these files. A file belongs to the package with the innermost folder.
fn packages(metadata: &Value, changed: &BTreeSet<PathBuf>) -> Vec<String> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let known: Vec<(PathBuf, &str)> = packages
        .filter_map(|package| {
            let manifest = Path::new(package["manifest_path"].as_str()?);
            Some((manifest.parent()?.to_owned(), package["name"].as_str()?))
        })
        .collect();
    let of_file = |file: &PathBuf| {
        let having = known.iter().filter(|(folder, _)| file.starts_with(folder));
        let innermost = having.max_by_key(|(folder, _)| folder.components().count());
        innermost.map(|(_, name)| (*name).to_owned())
    };
    let names: BTreeSet<String> = changed.iter().filter_map(of_file).collect();
    names.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_file_is_of_the_innermost_package() {
        let metadata = json!({"packages": [
            {"name": "bridge", "manifest_path": "/p/bridge/Cargo.toml"},
            {"name": "macros", "manifest_path": "/p/bridge/macros/Cargo.toml"},
            {"name": "cli", "manifest_path": "/p/cli/Cargo.toml"},
        ]});
        let changed = [
            "/p/bridge/macros/src/lib.rs",
            "/p/cli/README.md",
            "/p/docs/x.md",
        ];
        let changed = changed.into_iter().map(PathBuf::from).collect();
        assert_eq!(packages(&metadata, &changed), ["cli", "macros"]);
    }

    #[test]
    fn packages_without_unit_tests_are_left_out() {
        let target = |kind: &str, test: bool| json!({ "kind": [kind], "test": test });
        let metadata = json!({"packages": [
            {"name": "bindings", "targets": [target("lib", false), target("test", true)]},
            {"name": "cli", "targets": [target("lib", true), target("bin", false)]},
            {"name": "xtask", "targets": [target("bin", true)]},
        ]});
        let names = ["bindings", "cli", "xtask"];
        let of = |wanted: &str| with_unit_tests(&metadata, &names, |kind| kind == wanted);
        assert_eq!([of("lib"), of("bin")], [["cli"], ["xtask"]]);
    }
}
