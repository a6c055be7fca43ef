//! What cargo would publish of a package: its files, and what Cargo.toml says about it.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::metadata::{elements, metadata};
use super::{cannot_run, command, same_file};
use crate::report::{Error, Result, catalog};

/// The keys of `[package]` that describe a package to its users. A missing one is empty.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Publication {
    /// An SPDX expression, such as `MIT OR Apache-2.0`.
    pub(crate) licence: String,
    pub(crate) repository: String,
    pub(crate) homepage: String,
}

/// Reads the description of the package in a folder.
pub(crate) fn publication(folder: &Path) -> Result<Publication> {
    let manifest = folder.join("Cargo.toml");
    let metadata = metadata(&manifest, &["--no-deps"])?;
    let mut packages = elements(&metadata["packages"]);
    let own = packages.find(|package| same_file(&package["manifest_path"], &manifest));
    Ok(own.map(publication_of).unwrap_or_default())
}

fn publication_of(package: &Value) -> Publication {
    let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
    Publication {
        licence: text("license"),
        repository: text("repository"),
        homepage: text("homepage"),
    }
}

/// Returns the files that `cargo publish` would upload, relative to the package's folder and in
/// order of name. Some of them are written by cargo and do not exist in the folder.
pub(crate) fn published_files(folder: &Path) -> Result<Vec<String>> {
    let answer = command(folder)
        .args(["package", "--list", "--allow-dirty", "--quiet"])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| cannot_run(&error))?;
    if !answer.status.success() {
        return Err(catalog::CARGO_METADATA
            .error()
            .at(folder.join("Cargo.toml").display()));
    }
    let listed = String::from_utf8_lossy(&answer.stdout);
    // On Windows, cargo separates folders by backslashes.
    let mut files: Vec<String> = listed.lines().map(|file| file.replace('\\', "/")).collect();
    files.sort();
    Ok(files)
}

/// Returns the version of the compiler that cargo uses in a folder, and the target for which it
/// compiles if it is not told otherwise.
pub(crate) fn compiler(folder: &Path) -> Result<(String, String)> {
    let program = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let answer = Command::new(&program)
        .arg("-vV")
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Error::io("run", Path::new(&program), &error))?;
    let said = String::from_utf8_lossy(&answer.stdout).into_owned();
    let version = said.lines().next().unwrap_or_default().to_owned();
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    Ok((version, host.unwrap_or_default().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_keys_are_empty() {
        let package = serde_json::json!({ "license": "MIT", "repository": null });
        let found = publication_of(&package);
        assert_eq!(found.licence, "MIT");
        assert_eq!(
            (found.repository, found.homepage),
            (String::new(), String::new())
        );
    }
}
