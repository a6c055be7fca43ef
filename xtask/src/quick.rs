//! `cargo xtask test quick`: a short check after an edit.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::applications;
use crate::step::{self, Outcome, cargo, heading, root, run, say};

/// Checks format and structure, then lints and tests the packages that have changed since the last
/// commit. Without changes, uses the packages of the last commit.
pub(crate) fn task() -> Outcome {
    let changed = changed_files()?;
    heading("format and structure");
    run(&mut cargo(root(), &["fmt", "--all", "--check"]))?;
    run(&mut cargo(
        root(),
        &[
            "test",
            "--quiet",
            "--package",
            "otp-tests",
            "--test",
            "tidy",
        ],
    ))?;
    let packages = packages(&step::metadata(root())?, &changed);
    if !packages.is_empty() {
        heading(&format!("changed: {}", packages.join(", ")));
        let packages: Vec<&str> = packages.iter().flat_map(|it| ["--package", it]).collect();
        let lint = ["clippy", "--all-targets"];
        let denied = ["--", "-D", "warnings"];
        run(&mut cargo(
            root(),
            &[&lint[..], &packages, &denied].concat(),
        ))?;
        let units = ["test", "--quiet", "--lib", "--bins"];
        run(&mut cargo(root(), &[&units[..], &packages].concat()))?;
    }
    for parent in ["tests/apps", "examples"] {
        for application in applications::below(parent)? {
            if changed
                .iter()
                .any(|file| file.starts_with(&application.folder))
            {
                heading(&format!("changed: {}", shown(&application.folder)));
                let packages = application.packages();
                let denied = ["--", "-D", "warnings"];
                let lint = ["clippy", "--all-targets"];
                let lint = [&lint[..], &applications::selecting(&packages), &denied].concat();
                run(&mut applications::in_workspace(&lint))?;
            }
        }
    }
    say("\nThe tests that start a VM have not run: `cargo xtask test` has them all.\n");
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
}
