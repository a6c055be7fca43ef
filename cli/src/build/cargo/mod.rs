//! Calls of cargo: for metadata of packages (`metadata.rs`), and to build the library of one.

mod metadata;

use std::env;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::wrapper;
use crate::platform::System;
use crate::report::{Error, Result, Ui, catalog};
pub(crate) use metadata::{Package, local_folders, package};

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

/// A crate of the package whose tests run on a VM.
#[derive(Debug)]
pub(crate) struct Tested<'a> {
    /// tests/NAME.rs. `None`: the library.
    pub(crate) test: Option<&'a str>,
    /// Features of the package.
    pub(crate) features: &'a [String],
}

/// Builds the library, with the tests of a crate or without any, and gives its path. The user sees
/// cargo's messages and progress.
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
    cargo.arg(if ui.is_json() {
        "--message-format=json"
    } else {
        "--message-format=json-render-diagnostics"
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
        if let Some(error) = metadata::unknown_profile(folder, profile.name()) {
            return Err(error);
        }
        let error = catalog::LIBRARY_DOES_NOT_COMPILE
            .error()
            .at(manifest.display())
            .shown_elsewhere();
        return Err(match lost_flags(folder) {
            Some(help) => error.help(help),
            None => error,
        });
    }
    library.ok_or_else(|| catalog::NO_LIBRARY.error().at(manifest.display()))
}

/// What to do if flags of the environment have taken the place of those that this system needs.
fn lost_flags(folder: &Path) -> Option<String> {
    let variables = ["CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS"];
    let given = variables.into_iter().find_map(|name| env::var(name).ok())?;
    let said = command(folder).arg("-vV").output().ok()?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let host = said.lines().find_map(|line| line.strip_prefix("host: "))?;
    System::host().lost_flags(host, &given)
}

fn build_arguments(cargo: &mut Command, profile: &Profile) {
    cargo.args(["build", "--lib", "--profile", &profile.0]);
    cargo.args(System::host().cargo_options());
}

/// cargo builds a test executable, and [`wrapper`] has the compiler make a library of it.
fn test_arguments(cargo: &mut Command, profile: &Profile, tests: &Tested<'_>) -> Result<()> {
    cargo.args(["rustc", "--profile", profile.of_tests()]);
    cargo.args(System::host().cargo_options());
    match tests.test {
        None => cargo.arg("--lib"),
        Some(test) => cargo.args(["--test", test]),
    };
    for features in tests.features {
        cargo.args(["--features", features]);
    }
    wrapper::wrap(cargo)
}

/// The shared library in one of cargo's messages, when it is this package's. One with tests is
/// where cargo expects an executable.
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
                .is_some_and(|ending| ending == System::host().library_ending())
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
}
