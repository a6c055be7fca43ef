//! The application's library: cargo builds it, and a copy is placed in `priv`, under a name derived
//! from its content.

use std::env;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use otp_contract::package::{DIGITS, package_mark};
use serde_json::Value;

use super::cargo::{
    CrossBuild, Profile, Tested, cannot_run, command, is_cdylib, same_file, unknown_profile,
};
use super::layout::{BuildFolder, built, files, library_of};
use super::wrapper;
use crate::files::write;
use crate::platform::System;
use crate::report::{Error, Result, Ui, catalog};

/// The number of libraries that are kept in priv, because a running VM may have an older one open.
const RETAINED_LIBRARIES: usize = 3;
/// The file that identifies the library of cargo's that was copied last.
const LIBRARY: &str = ".library";

/// Builds the library, with or without the tests of a crate, and returns its path. The user sees
/// cargo's messages and progress. `said` is called for each message.
///
/// If another checkout of the package has the same target folder, it writes its library to the same
/// file, which cargo then considers fresh. Such a file is removed, so that cargo builds it again.
pub(crate) fn build(
    folder: &Path,
    profile: &Profile,
    tests: Option<&Tested<'_>>,
    ui: &Ui,
    said: &mut dyn FnMut(),
) -> Result<PathBuf> {
    let library = build_once(folder, profile, tests, ui, said)?;
    if !library.is_of_another()? {
        return Ok(library.path);
    }
    library.remove()?;
    let library = build_once(folder, profile, tests, ui, said)?;
    if library.is_of_another()? {
        let what = "cargo calls the library of another checkout fresh";
        return Err(catalog::INTERNAL.with(&[&what]).at(library.path.display()));
    }
    Ok(library.path)
}

/// A library that cargo has built.
#[derive(Debug, PartialEq, Eq)]
struct CargoLibrary {
    path: PathBuf,
    /// The package's folder, as cargo names it.
    package: String,
    /// Whether cargo considered it fresh, and has not compiled it now.
    is_fresh: bool,
}

impl CargoLibrary {
    /// Returns whether it has the mark of another checkout, and not that of the package.
    fn is_of_another(&self) -> Result<bool> {
        if !self.is_fresh {
            return Ok(false);
        }
        let content =
            fs::read(&self.path).map_err(|error| Error::io("read", &self.path, &error))?;
        let own = package_mark(&self.package);
        let has = |mark: &[u8]| memchr::memmem::find(&content, mark).is_some();
        Ok(has(&own[..own.len() - DIGITS]) && !has(&own))
    }

    /// Removes it, and the file from which cargo has linked it.
    fn remove(&self) -> Result<()> {
        let name = self.path.file_name().unwrap_or_default();
        let folder = self.path.parent().unwrap_or(&self.path);
        for path in [self.path.clone(), folder.join("deps").join(name)] {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(Error::io("remove", &path, &error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Builds the library for another target, and returns its path.
pub(crate) fn build_for(
    folder: &Path,
    profile: &Profile,
    cross: &CrossBuild,
    ui: &Ui,
) -> Result<PathBuf> {
    let mut cargo = command(folder);
    cargo.args([cross.verb, "--lib", "--profile", profile.name()]);
    cargo.args(["--target", &cross.target]);
    cargo.args(System::host().cargo_options());
    let library = run_cargo(cargo, (folder, profile), false, ui, &mut || {})?;
    Ok(library.path)
}

fn build_once(
    folder: &Path,
    profile: &Profile,
    tests: Option<&Tested<'_>>,
    ui: &Ui,
    said: &mut dyn FnMut(),
) -> Result<CargoLibrary> {
    let mut cargo = command(folder);
    match tests {
        None => build_arguments(&mut cargo, profile),
        Some(tests) => test_arguments(&mut cargo, profile, tests)?,
    }
    run_cargo(cargo, (folder, profile), tests.is_some(), ui, said)
}

/// Runs cargo, and returns the library that its messages name.
fn run_cargo(
    mut cargo: Command,
    (folder, profile): (&Path, &Profile),
    is_of_tests: bool,
    ui: &Ui,
    said: &mut dyn FnMut(),
) -> Result<CargoLibrary> {
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
        said();
        if ui.is_json() {
            ui.output(&format!("{line}\n"));
        }
        library = library_in(&line, &manifest, is_of_tests).or(library);
    }
    let status = child.wait().map_err(|error| cannot_run(&error))?;
    if !status.success() {
        if let Some(error) = unknown_profile(folder, profile.name()) {
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

/// Returns advice for the case that flags of the environment override those that this system needs.
fn lost_flags(folder: &Path) -> Option<String> {
    let variables = ["CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS"];
    let given = variables.into_iter().find_map(|name| env::var(name).ok())?;
    let said = command(folder).arg("-vV").output().ok()?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let host = said.lines().find_map(|line| line.strip_prefix("host: "))?;
    System::host().lost_flags(host, &given)
}

fn build_arguments(cargo: &mut Command, profile: &Profile) {
    cargo.args(["build", "--lib", "--profile", profile.name()]);
    cargo.args(System::host().cargo_options());
}

/// Makes cargo build a test executable, which [`wrapper`] turns into a library.
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

/// Returns the shared library in one of cargo's messages, if it belongs to this package. A library
/// with tests is at the path of the executable that cargo expects.
fn library_in(line: &str, manifest: &Path, is_of_tests: bool) -> Option<CargoLibrary> {
    let message: Value = serde_json::from_str(line).ok()?;
    let ours =
        message["reason"] == "compiler-artifact" && same_file(&message["manifest_path"], manifest);
    let of_path = |path: PathBuf| {
        let package = Path::new(message["manifest_path"].as_str()?).parent()?;
        Some(CargoLibrary {
            path,
            package: package.to_str()?.to_owned(),
            is_fresh: message["fresh"] == true,
        })
    };
    if is_of_tests {
        let executable = message["executable"].as_str().filter(|_| ours)?;
        return of_path(PathBuf::from(executable));
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
        .and_then(of_path)
}

impl BuildFolder {
    /// Puts a copy of the library into priv and returns its name without extension, `libNAME-<16
    /// hexadecimal digits of its content>`.
    pub(crate) fn add_library(&self, application: &str, library: &Path) -> Result<String> {
        let unchanged = identity(library);
        let known = unchanged.as_deref().and_then(|it| self.known_library(it));
        let stem = match known {
            Some(stem) => stem,
            None => self.copy_library(application, library, unchanged)?,
        };
        let (folder, target) = (self.path.join("priv"), self.library(&stem));
        // The newest are those that were used last: an old library that is used again is kept.
        let _ = File::options()
            .append(true)
            .open(&target)
            .and_then(|file| file.set_modified(SystemTime::now()));
        self.remove_old_libraries(&folder)?;
        Ok(stem)
    }

    /// Returns the copied library that had this identity, if the copy exists.
    fn known_library(&self, identity: &str) -> Option<String> {
        let text = fs::read_to_string(self.path.join(LIBRARY)).ok()?;
        let (of, stem) = text.split_once('\n')?;
        (of == identity && self.library(stem).is_file()).then(|| stem.to_owned())
    }

    fn copy_library(
        &self,
        application: &str,
        library: &Path,
        identity: Option<String>,
    ) -> Result<String> {
        let content = fs::read(library).map_err(|error| Error::io("read", library, &error))?;
        let stem = library_of(application, &content);
        let target = self.library(&stem);
        if !target.is_file() {
            write(&target, &content)?;
        }
        if let Some(identity) = identity {
            self.write(LIBRARY, &format!("{identity}\n{stem}"))?;
        }
        Ok(stem)
    }

    /// Removes old libraries. The one that `ebin` loads is kept, even after any number of failed
    /// builds.
    fn remove_old_libraries(&self, folder: &Path) -> Result<()> {
        let built = built(&self.path).map(|stem| self.library(&stem));
        let mut libraries: Vec<(SystemTime, PathBuf)> = files(folder)?
            .into_iter()
            .filter(|path| Some(path) != built.as_ref())
            .filter_map(|path| Some((fs::metadata(&path).ok()?.modified().ok()?, path)))
            .collect();
        libraries.sort();
        let others = RETAINED_LIBRARIES.saturating_sub(usize::from(built.is_some()));
        let old = libraries.len().saturating_sub(others);
        for (_, path) in libraries.into_iter().take(old) {
            fs::remove_file(&path).map_err(|error| Error::io("remove", &path, &error))?;
        }
        Ok(())
    }
}

/// Returns a file's path and modification time. They replace its content, because a library may
/// have a hundred megabytes, and is unchanged in most builds.
fn identity(file: &Path) -> Option<String> {
    let found = fs::metadata(file).ok()?;
    let time = found.modified().ok()?;
    let time = time.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    let path = file.to_str().filter(|path| !path.contains('\n'))?;
    Some(format!("{} {} {path}", time.as_nanos(), found.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARTIFACT: &str = r#"{"reason":"compiler-artifact","manifest_path":"/x/Cargo.toml",
        "target":{"kind":["cdylib","rlib"]},"filenames":["/t/libx.rlib","/t/libx.so"]}"#;

    #[test]
    fn the_library_is_found_among_messages() {
        let manifest = Path::new("/x/Cargo.toml");
        let library = |path: &str| {
            Some(CargoLibrary {
                path: PathBuf::from(path),
                package: "/x".to_owned(),
                is_fresh: false,
            })
        };
        assert_eq!(library_in(ARTIFACT, manifest, false), library("/t/libx.so"));
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
        assert_eq!(library_in(&tests, manifest, true), library("/t/x-1"));
    }
}
