//! `cargo xtask publish --dry-run`: checks the requirements of a release, without publishing
//! anything.
//!
//! The packages and all their dependencies become a registry in a folder. The check uses only this
//! registry, with a separate `CARGO_HOME` and outside of this checkout. It installs the tools, and
//! makes, tests and runs an application.

mod hidden;
mod newcomer;
mod registry;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::erlang;
use crate::step::{self, Outcome, cargo, heading, root, run, say};

pub(crate) const USAGE: &str = "\
Usage: cargo xtask publish --dry-run [--allow-dirty]

Makes the packages of all published crates, and a registry with these packages and their dependencies in a temporary folder. Then it
does the following with this registry only, like a user without this checkout:

- builds the documentation of the libraries, as docs.rs does, with no Erlang in PATH;
- installs `cargo otp` and `otp-rs`, and creates an application with them, which depends on versions and not on paths;
- runs the application's tests and the application.

On Linux, a namespace hides the contents of the checkout during these steps.

Uncommitted changes are an error, unless you give `--allow-dirty`. At the end, the command prints the commands that publish.
";

pub(crate) fn task(arguments: &[&str]) -> Outcome {
    let dirty = match arguments {
        ["--dry-run"] => false,
        ["--dry-run", "--allow-dirty"] => true,
        _ => return Err(USAGE.to_owned()),
    };
    heading("Erlang");
    erlang::to_run()?;
    heading("Versions");
    let packages = published()?;
    versions_agree(&packages)?;
    let scratch = Scratch::new()?;
    heading("Packages");
    let files = package(&packages, dirty)?;
    let registry = registry::write_all(&scratch.0.join("registry"), &packages, &files)?;
    newcomer::try_all(&scratch.0, &registry, &packages)?;
    heading("Done");
    say(&next(&packages));
    Ok(())
}

/// A published crate of the workspace.
pub(crate) struct Package {
    name: String,
    version: String,
}

/// Returns the packages without `publish = false`.
fn published() -> Outcome<Vec<Package>> {
    let mut cargo = cargo(
        root(),
        &["metadata", "--no-deps", "--format-version", "1", "--locked"],
    );
    let metadata: Value = serde_json::from_slice(&output(&mut cargo)?)
        .map_err(|error| format!("what `cargo metadata` says: {error}"))?;
    let all = metadata["packages"].as_array().into_iter().flatten();
    // cargo reports `publish = false` as an empty list of registries.
    let published = all.filter(|package| package["publish"].is_null());
    let text = |package: &Value, key: &str| package[key].as_str().unwrap_or_default().to_owned();
    Ok(published
        .map(|package| Package {
            name: text(package, "name"),
            version: text(package, "version"),
        })
        .collect())
}

/// Checks that all crates have one version, and that the texts for users contain it: as unreleased,
/// or with its date.
fn versions_agree(packages: &[Package]) -> Outcome {
    let version = &packages.first().ok_or("no crate is published")?.version;
    if let Some(other) = packages.iter().find(|one| one.version != *version) {
        return Err(format!(
            "{} has version {}, others {version}",
            other.name, other.version
        ));
    }
    let short = version.strip_suffix(".0").unwrap_or(version);
    let changes = root().join("CHANGELOG.md");
    let text =
        fs::read_to_string(&changes).map_err(|error| format!("{}: {error}", changes.display()))?;
    let heading = text.lines().find(|line| line.starts_with("## "));
    match heading {
        Some(heading) if heading.contains(short) => {
            say(&format!("{} crates of {version}\n", packages.len()));
            Ok(())
        }
        _ => Err(format!(
            "CHANGELOG.md begins with `{}`, which is not {version}",
            heading.unwrap_or_default()
        )),
    }
}

/// Makes the `.crate` files, in the order of the packages.
fn package(packages: &[Package], dirty: bool) -> Outcome<Vec<PathBuf>> {
    let mut arguments = vec!["package", "--no-verify", "--locked"];
    for one in packages {
        arguments.extend(["--package", &one.name]);
    }
    if dirty {
        arguments.push("--allow-dirty");
    }
    run(&mut cargo(root(), &arguments))?;
    let folder = step::target().join("package");
    let file = |one: &Package| folder.join(format!("{}-{}.crate", one.name, one.version));
    Ok(packages.iter().map(file).collect())
}

fn next(packages: &[Package]) -> String {
    let mut line = "cargo publish".to_owned();
    for one in packages {
        line += &format!(" -p {}", one.name);
    }
    format!(
        "Nothing was published. What is left to do by hand:\n\n\
         1. In CHANGELOG.md and cli/UPGRADING.md, give \"Unreleased\" its version and date; commit, tag.\n\
         2. {line}\n"
    )
}

/// Returns the output of a command, if it succeeds.
fn output(command: &mut Command) -> Outcome<Vec<u8>> {
    let line = step::line(command);
    let output = command
        .output()
        .map_err(|error| format!("cannot run `{line}`: {error}"))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(format!(
            "`{line}` failed: {}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// Makes a folder and its parent folders.
fn make(folder: &Path) -> Outcome {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

fn write(path: &Path, text: &str) -> Outcome {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// A temporary folder outside of the checkout. It is removed when this value is dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Outcome<Self> {
        let folder = env::temp_dir().join(format!("otp-rs-publish-{}", std::process::id()));
        make(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
