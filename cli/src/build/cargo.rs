//! Calls of cargo: for the package's metadata, and to build its library.

use std::env;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::wrapper;
use crate::report::{Error, Result, Ui, catalog};

/// The package of an application, from `cargo metadata`.
#[derive(Debug, Default)]
pub(crate) struct Package {
    /// `[package] name`; also the name of the Erlang application.
    pub(crate) name: String,
    /// `[package] version`
    pub(crate) version: String,
    /// `[package] description`; empty when there is none.
    pub(crate) description: String,
    /// The folder that cargo builds in.
    pub(crate) target: PathBuf,
    /// The folder of its workspace, where the compiler runs.
    pub(crate) workspace: PathBuf,
    /// The folders of the packages that its code uses by a `path`.
    pub(crate) local: Vec<PathBuf>,
}

/// A profile that an application is built with, by cargo's name for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Profile(String);

impl Profile {
    /// The profile with `--release` or without it.
    pub(crate) fn of(release: bool) -> Self {
        Self::named(if release { "release" } else { "dev" })
    }

    /// The profile of `--profile`. cargo says whether there is one of this name.
    pub(crate) fn named(name: &str) -> Self {
        Profile(name.to_owned())
    }

    /// cargo's name for it.
    pub(crate) fn name(&self) -> &str {
        &self.0
    }

    /// The folder's name under the target folder.
    pub(crate) fn folder(&self) -> &str {
        match self.0.as_str() {
            "dev" | "test" => "debug",
            "bench" => "release",
            name => name,
        }
    }

    /// The profile that cargo builds tests with, which are never of a named one.
    fn of_tests(&self) -> &'static str {
        match self.folder() {
            "release" => "bench",
            _ => "test",
        }
    }
}

/// Asks cargo for the package whose Cargo.toml is in `folder`. The user sees cargo's messages.
pub(crate) fn package(folder: &Path) -> Result<Package> {
    let manifest = folder.join("Cargo.toml");
    if !manifest.is_file() {
        return Err(catalog::NO_CARGO_TOML.error().at(folder.display()));
    }
    let answer = command(folder)
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| cannot_run(&error))?;
    if !answer.status.success() {
        return Err(catalog::CARGO_METADATA.error().at(manifest.display()));
    }
    let metadata: Value = serde_json::from_slice(&answer.stdout).map_err(|error| {
        catalog::INTERNAL.with(&[&format!("`cargo metadata` is not understood: {error}")])
    })?;
    package_of(&metadata, &manifest)
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

fn elements(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

/// The folder of a dependency of the library itself. Those of tests and build scripts have a kind.
fn local(dependency: &Value) -> Option<PathBuf> {
    let path = dependency["path"].as_str().map(PathBuf::from);
    path.filter(|_| dependency["kind"].is_null())
}

/// There must be a `cdylib`, with the package's name.
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

/// A crate of the package whose tests run on a VM.
#[derive(Debug)]
pub(crate) struct Tested<'a> {
    /// tests/NAME.rs. `None`: the library.
    pub(crate) test: Option<&'a str>,
    /// Features of the package.
    pub(crate) features: &'a [String],
}

/// Builds the library, with the tests of a crate or without any, and gives its path. The user sees cargo's messages
/// and progress.
pub(crate) fn build_library(
    folder: &Path,
    profile: &Profile,
    tests: Option<&Tested<'_>>,
    ui: &Ui,
) -> Result<PathBuf> {
    let mut cargo = command(folder);
    match tests {
        None => build_arguments(&mut cargo, profile),
        Some(tests) => test_arguments(&mut cargo, profile, tests)?,
    }
    cargo.arg(match ui.is_json() {
        true => "--message-format=json",
        false => "--message-format=json-render-diagnostics",
    });
    cargo.args(ui.cargo_options());
    ui.starting(&cargo);
    let mut child = cargo
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| cannot_run(&error))?;
    let messages = child.stdout.take().map(BufReader::new);
    let manifest = folder.join("Cargo.toml");
    let mut library = None;
    for line in messages
        .into_iter()
        .flat_map(BufRead::lines)
        .map_while(Result::ok)
    {
        if ui.is_json() {
            ui.output(&format!("{line}\n"));
        }
        library = library_in(&line, &manifest, tests.is_some()).or(library);
    }
    let status = child.wait().map_err(|error| cannot_run(&error))?;
    if !status.success() {
        return Err(catalog::LIBRARY_DOES_NOT_COMPILE
            .error()
            .at(manifest.display()));
    }
    library.ok_or_else(|| catalog::NO_LIBRARY.error().at(manifest.display()))
}

fn build_arguments(cargo: &mut Command, profile: &Profile) {
    cargo.args(["build", "--lib", "--profile", &profile.0]);
}

/// cargo builds a test executable, and [`wrapper`] has the compiler make a library of it.
fn test_arguments(cargo: &mut Command, profile: &Profile, tests: &Tested<'_>) -> Result<()> {
    cargo.args(["rustc", "--profile", profile.of_tests()]);
    match tests.test {
        None => cargo.arg("--lib"),
        Some(test) => cargo.args(["--test", test]),
    };
    for features in tests.features {
        cargo.args(["--features", features]);
    }
    wrapper::wrap(cargo)
}

/// The shared library in one of cargo's messages, when it is this package's. One with tests is where cargo expects an
/// executable.
fn library_in(line: &str, manifest: &Path, is_of_tests: bool) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(line).ok()?;
    let ours =
        message["reason"] == "compiler-artifact" && same_file(&message["manifest_path"], manifest);
    if is_of_tests {
        let executable = message["executable"].as_str().filter(|_| ours)?;
        return Some(PathBuf::from(executable));
    }
    let ours = ours && is_cdylib(&message["target"]);
    let files = message["filenames"].as_array().filter(|_| ours)?;
    files
        .iter()
        .filter_map(Value::as_str)
        .map(PathBuf::from)
        .find(|file| {
            file.extension()
                .is_some_and(|ending| ending == env::consts::DLL_EXTENSION)
        })
}

fn is_cdylib(target: &Value) -> bool {
    target["kind"]
        .as_array()
        .is_some_and(|kinds| kinds.iter().any(|kind| kind == "cdylib"))
}

fn same_file(shown: &Value, path: &Path) -> bool {
    let shown = Path::new(shown.as_str().unwrap_or_default());
    shown == path || matches!((shown.canonicalize(), path.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// The cargo that called this program, or else the one on `PATH`.
pub(crate) fn command(folder: &Path) -> Command {
    let program = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.current_dir(folder).stdin(Stdio::null());
    command
}

pub(crate) fn cannot_run(error: &std::io::Error) -> Error {
    catalog::NO_CARGO.with(&[error])
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARTIFACT: &str = r#"{"reason":"compiler-artifact","manifest_path":"/x/Cargo.toml",
        "target":{"kind":["cdylib","rlib"]},"filenames":["/t/libx.rlib","/t/libx.so"]}"#;

    #[test]
    fn the_library_is_found_among_messages() {
        let manifest = Path::new("/x/Cargo.toml");
        assert_eq!(
            library_in(ARTIFACT, manifest, false),
            Some(PathBuf::from("/t/libx.so"))
        );
        assert_eq!(
            library_in(ARTIFACT, Path::new("/y/Cargo.toml"), false),
            None
        );
        assert_eq!(
            library_in(&ARTIFACT.replace("cdylib", "lib"), manifest, false),
            None
        );
        assert_eq!(library_in("warning: not JSON", manifest, false), None);
        let tests = ARTIFACT.replace("\"target\"", "\"executable\":\"/t/x-1\",\"target\"");
        assert_eq!(library_in(ARTIFACT, manifest, true), None);
        assert_eq!(
            library_in(&tests, manifest, true),
            Some(PathBuf::from("/t/x-1"))
        );
    }

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
    fn the_folder_of_a_profile_is_cargos() {
        for (profile, folder, of_tests) in [
            (Profile::of(false), "debug", "test"),
            (Profile::of(true), "release", "bench"),
            (Profile::named("bench"), "release", "bench"),
            (Profile::named("small"), "small", "test"),
        ] {
            assert_eq!((profile.folder(), profile.of_tests()), (folder, of_tests));
        }
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
