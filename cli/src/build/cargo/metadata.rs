//! Reads packages from `cargo metadata`.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::{env, fs};

use serde_json::Value;
use toml_edit::{DocumentMut, Item, TableLike};

use super::{cannot_run, command, is_cdylib, same_file};
use crate::report::{Error, Result, catalog, nearest};

/// The package of an application, from `cargo metadata`.
#[derive(Debug, Default)]
pub(crate) struct Package {
    /// `[package] name`; also the name of the Erlang application.
    pub(crate) name: String,
    /// `[package] version`
    pub(crate) version: String,
    /// `[package] description`; empty when there is none.
    pub(crate) description: String,
    /// The target folder of cargo.
    pub(crate) target: PathBuf,
    /// The folder of its workspace, where the compiler runs.
    pub(crate) workspace: PathBuf,
    /// The folders of the packages that its code uses by a `path`.
    pub(crate) local: Vec<PathBuf>,
}

/// Asks cargo for the package whose Cargo.toml is in `folder`. The user sees cargo's messages.
pub(crate) fn package(folder: &Path) -> Result<Package> {
    let manifest = folder.join("Cargo.toml");
    let metadata = metadata(&manifest, &["--no-deps"])?;
    package_of(&metadata, &manifest)
}

/// Returns the folders of the packages that the package in `folder` uses by a path, directly or
/// indirectly, and that of its workspace.
pub(crate) fn local_folders(folder: &Path) -> Result<Vec<PathBuf>> {
    let manifest = folder.join("Cargo.toml");
    let metadata = metadata(&manifest, &[])?;
    let mut folders = local_packages_of(&metadata, &manifest);
    folders.extend(metadata["workspace_root"].as_str().map(PathBuf::from));
    Ok(folders)
}

/// Returns an error if neither cargo nor the workspace's Cargo.toml has a profile of this name.
/// cargo has shown its own error.
pub(in crate::build) fn unknown_profile(folder: &Path, name: &str) -> Option<Error> {
    const CARGOS: [&str; 4] = ["dev", "release", "test", "bench"];
    let workspace = package(folder).ok()?.workspace;
    let text = fs::read_to_string(workspace.join("Cargo.toml")).ok()?;
    let manifest: DocumentMut = text.parse().ok()?;
    let profiles = manifest.get("profile").and_then(Item::as_table_like);
    let own = profiles
        .into_iter()
        .flat_map(TableLike::iter)
        .map(|(name, _)| name);
    let known: Vec<&str> = CARGOS.into_iter().chain(own).collect();
    let variable = format!(
        "CARGO_PROFILE_{}_INHERITS",
        name.replace('-', "_").to_uppercase()
    );
    let is_known = known.contains(&name) || env::var_os(variable).is_some();
    let error = || {
        catalog::UNKNOWN_PROFILE
            .with(&[&name])
            .suggest(&nearest(name, known.clone(), 1))
    };
    (!is_known).then(error)
}

pub(super) fn metadata(manifest: &Path, options: &[&str]) -> Result<Value> {
    let folder = manifest.parent().unwrap_or(manifest);
    if !manifest.is_file() {
        return Err(catalog::NO_CARGO_TOML.error().at(folder.display()));
    }
    let answer = command(folder)
        .args(["metadata", "--format-version", "1"])
        .args(options)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| cannot_run(&error))?;
    if !answer.status.success() {
        return Err(catalog::CARGO_METADATA.error().at(manifest.display()));
    }
    serde_json::from_slice(&answer.stdout).map_err(|error| {
        catalog::INTERNAL.with(&[&format!("`cargo metadata` is not understood: {error}")])
    })
}

/// Packages that only tests use are left out, because a build does not read them.
fn local_packages_of(metadata: &Value, manifest: &Path) -> Vec<PathBuf> {
    let find = |list: &Value, id: &str| elements(list).find(|one| one["id"] == id).cloned();
    let own = elements(&metadata["packages"])
        .find(|package| same_file(&package["manifest_path"], manifest));
    let own = own.and_then(|package| package["id"].as_str());
    let mut ids: Vec<String> = own.map(str::to_owned).into_iter().collect();
    let mut folders = Vec::new();
    let mut next = 0;
    while let Some(id) = ids.get(next).cloned() {
        next += 1;
        // A package of a registry or of git does not change, and uses only packages that do not
        // change.
        let Some(package) = find(&metadata["packages"], &id).filter(|it| it["source"].is_null())
        else {
            continue;
        };
        let path = Path::new(package["manifest_path"].as_str().unwrap_or_default());
        folders.extend(path.parent().map(Path::to_owned));
        let node = find(&metadata["resolve"]["nodes"], &id).unwrap_or_default();
        let used = elements(&node["deps"])
            .filter(|one| elements(&one["dep_kinds"]).any(|kind| kind["kind"] != "dev"))
            .filter_map(|one| one["pkg"].as_str());
        for id in used {
            if ids.iter().all(|known| known != id) {
                ids.push(id.to_owned());
            }
        }
    }
    folders
}

fn package_of(metadata: &Value, manifest: &Path) -> Result<Package> {
    let packages = metadata["packages"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let package = packages
        .iter()
        .find(|package| same_file(&package["manifest_path"], manifest))
        .ok_or_else(|| catalog::NO_PACKAGE.error().at(manifest.display()))?;
    check_library(package, manifest)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Ok(Package {
        name: text(&package["name"]),
        version: text(&package["version"]),
        description: text(&package["description"]),
        target: PathBuf::from(text(&metadata["target_directory"])),
        workspace: PathBuf::from(text(&metadata["workspace_root"])),
        local: elements(&package["dependencies"])
            .filter_map(local)
            .collect(),
    })
}

pub(super) fn elements(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

/// Returns the folder of a dependency of the library itself. Dependencies of tests and build
/// scripts have a kind.
fn local(dependency: &Value) -> Option<PathBuf> {
    let path = dependency["path"].as_str().map(PathBuf::from);
    path.filter(|_| dependency["kind"].is_null())
}

/// Requires a `cdylib` with the package's name.
fn check_library(package: &Value, manifest: &Path) -> Result<()> {
    let targets = package["targets"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let Some(library) = targets.iter().find(|target| is_cdylib(target)) else {
        return Err(catalog::NOT_A_CDYLIB.error().at(manifest.display()));
    };
    // cargo turns `-` into `_`. A later check refuses such a name, because it is not an atom.
    let name = package["name"]
        .as_str()
        .unwrap_or_default()
        .replace('-', "_");
    if library["name"] != name {
        return Err(catalog::LIBRARY_NAME
            .error()
            .at(manifest.display())
            .detail(format!(
                "[lib] name is {}, [package] name is {}",
                library["name"], package["name"]
            )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_without_cdylib_is_refused_with_the_line_to_write() {
        let metadata = serde_json::json!({ "packages": [{ "manifest_path": "/x/Cargo.toml",
            "name": "x", "version": "0.1.0", "targets": [{ "kind": ["lib"] }] }] });
        let error = package_of(&metadata, Path::new("/x/Cargo.toml")).unwrap_err();
        assert!(error.remedies()[0].contains("crate-type"));
    }

    #[test]
    fn a_library_with_another_name_is_refused() {
        let metadata = |library: &str| {
            serde_json::json!({ "packages": [{ "manifest_path": "/x/Cargo.toml", "name": "x",
                "targets": [{ "kind": ["cdylib"], "name": library }] }] })
        };
        let error = package_of(&metadata("y"), Path::new("/x/Cargo.toml")).unwrap_err();
        assert_eq!(
            error.details(),
            [r#"[lib] name is "y", [package] name is "x""#]
        );
        assert!(package_of(&metadata("x"), Path::new("/x/Cargo.toml")).is_ok());
    }

    #[test]
    fn packages_of_packages_are_found() {
        let package = |name: &str, source: Option<&str>| {
            let manifest = format!("/{name}/Cargo.toml");
            serde_json::json!({ "id": name, "source": source, "manifest_path": manifest })
        };
        let uses = |name: &str, used: &[(&str, Option<&str>)]| {
            let deps = used.iter().map(
                |(used, kind)| serde_json::json!({ "pkg": used, "dep_kinds": [{ "kind": kind }] }),
            );
            serde_json::json!({ "id": name, "deps": deps.collect::<Vec<_>>() })
        };
        let metadata = serde_json::json!({
            "packages": [package("x", None), package("a", None), package("b", None), package("c", None),
                package("serde", Some("registry")), package("novm", None), package("other", None)],
            "resolve": { "nodes": [
                uses("x", &[("a", None), ("serde", None), ("novm", Some("dev"))]),
                uses("a", &[("b", None)]),
                uses("b", &[("a", None), ("c", Some("build"))]),
                uses("c", &[]), uses("serde", &[("other", None)]), uses("other", &[]),
            ] },
        });
        let found = local_packages_of(&metadata, Path::new("/x/Cargo.toml"));
        assert_eq!(found, ["/x", "/a", "/b", "/c"].map(PathBuf::from));
    }

    #[test]
    fn local_packages_are_those_of_the_code_itself() {
        let metadata = serde_json::json!({ "packages": [{ "manifest_path": "/x/Cargo.toml", "name": "x",
            "targets": [{ "kind": ["cdylib"], "name": "x" }], "dependencies": [
                { "name": "serde", "path": null, "kind": null },
                { "name": "novm", "path": "/novm", "kind": "dev" },
                { "name": "ledger", "path": "/ledger", "kind": null },
            ] }] });
        let package = package_of(&metadata, Path::new("/x/Cargo.toml")).unwrap();
        assert_eq!(package.local, [Path::new("/ledger")]);
    }
}
