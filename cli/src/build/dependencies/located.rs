//! Locates each dependency: its sources, a folder with compiled modules, or a package that rebar3
//! fetches.

use std::fs;
use std::path::{Path, PathBuf};

use otp_codegen::erlang::RELEASE_OF_ERTS;

use super::at_line;
use crate::installation::{Applications, Installation, elixir_applications, libraries};
use crate::project::Application;
use crate::project::config::{ErlangDependency, Origin};
use crate::report::{Error, Result, catalog, nearest};

/// A dependency and its location.
#[derive(Debug)]
pub(super) struct Located<'a> {
    pub(super) dependency: &'a ErlangDependency,
    pub(super) location: FoundIn,
}

/// The location of a dependency.
#[derive(Debug)]
pub(super) enum FoundIn {
    /// A folder with `src/NAME.app.src`.
    Source(PathBuf),
    /// A folder with `ebin/NAME.app`.
    Compiled(PathBuf),
    /// A package and its version.
    Package(String),
}

/// Locates the dependencies of an application. It fetches no package.
pub(super) fn all<'a>(
    application: &'a Application,
    otp: &Installation,
) -> Result<Vec<Located<'a>>> {
    let declared = application.config.dependencies.iter();
    let located = declared.map(|dependency| {
        let location = match &dependency.origin {
            Origin::Path(path) => in_folder(&application.folder.join(path), &dependency.name),
            Origin::Installed => installed(&dependency.name, otp),
            Origin::Hex(version) => Ok(FoundIn::Package(version.clone())),
        };
        let location = location.and_then(|found| match &found {
            FoundIn::Compiled(folder) => {
                check_release(folder, &dependency.name, otp).map(|()| found)
            }
            _ => Ok(found),
        });
        let location = location.map_err(|error| at_line(error, application, dependency.line))?;
        Ok(Located {
            dependency,
            location,
        })
    });
    located.collect()
}

fn in_folder(folder: &Path, name: &str) -> Result<FoundIn> {
    let refused = |why: String| {
        let error = catalog::NOT_IN_FOLDER.with(&[&name, &folder.display()]);
        Err(error.detail(why))
    };
    let Ok(found) = fs::canonicalize(folder) else {
        return refused("there is no such folder".to_owned());
    };
    if found.join(format!("src/{name}.app.src")).is_file() {
        return Ok(FoundIn::Source(found));
    }
    if found.join(format!("ebin/{name}.app")).is_file() {
        return Ok(FoundIn::Compiled(found));
    }
    match other_application(&found) {
        Some(other) => refused(format!("it has the application `{other}`")),
        None => refused(format!(
            "it has neither src/{name}.app.src nor ebin/{name}.app"
        )),
    }
}

/// Refuses a compiled application whose resource file requires a newer OTP, because its modules
/// could not be loaded.
fn check_release(folder: &Path, name: &str, otp: &Installation) -> Result<()> {
    let path = folder.join(format!("ebin/{name}.app"));
    let text = fs::read(&path).map_err(|error| Error::io("read", &path, &error))?;
    let text = String::from_utf8_lossy(&text);
    let erts = text.split("\"erts-").skip(1).filter_map(|rest| {
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse::<u32>().ok()
    });
    let release = otp.release;
    match erts.max().map(|erts| erts.saturating_add(RELEASE_OF_ERTS)) {
        Some(oldest) if oldest > release => {
            let error = catalog::NEEDS_NEWER_OTP.with(&[&name, &oldest, &release]);
            Err(error.detail(path.display().to_string()))
        }
        _ => Ok(()),
    }
}

/// Returns the name of another application in a folder.
fn other_application(folder: &Path) -> Option<String> {
    let files = [("src", ".app.src"), ("ebin", ".app")];
    files.iter().find_map(|(inner, ending)| {
        let entries = fs::read_dir(folder.join(inner)).ok()?;
        let mut names: Vec<String> = entries
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter_map(|name| Some(name.strip_suffix(ending)?.to_owned()))
            .collect();
        names.sort();
        names.into_iter().next()
    })
}

/// Returns the folder of an installed application: in OTP, in `ERL_LIBS` or in Elixir.
pub(crate) fn installed_at(name: &str, otp: &Applications) -> Option<PathBuf> {
    let found = otp.folder(name).map(Path::to_owned);
    let found = found.or_else(|| libraries().get(name).cloned());
    let has_resource = |folder: &PathBuf| folder.join(format!("ebin/{name}.app")).is_file();
    found.filter(has_resource).or_else(|| of_elixir(name))
}

fn installed(name: &str, otp: &Installation) -> Result<FoundIn> {
    let applications = Applications::of(otp);
    if let Some(folder) = installed_at(name, &applications) {
        return Ok(FoundIn::Compiled(folder));
    }
    let folders = applications.folders().filter_map(Path::file_name);
    let folders: Vec<String> = folders
        .map(|folder| folder.to_string_lossy().into_owned())
        .collect();
    let names = folders
        .iter()
        .map(|folder| crate::installation::name_and_version(folder).0);
    let libraries = libraries();
    let known = names.chain(libraries.keys().map(String::as_str));
    Err(catalog::NOT_INSTALLED
        .with(&[&name])
        .suggest(&nearest(name, known, 2)))
}

/// Returns an application of Elixir.
pub(super) fn of_elixir(name: &str) -> Option<PathBuf> {
    let applications = elixir_applications()?.into_iter();
    let mut folders = applications.map(|application| application.folder);
    folders.find(|folder| folder.join(format!("ebin/{name}.app")).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_says_what_it_has() {
        let scratch = tempfile::tempdir().unwrap();
        let write = |file: &str| {
            let path = scratch.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        };
        write("a/src/a.app.src");
        write("b/ebin/b.app");
        write("c/src/d.app.src");
        write("e/README");
        let found = |folder: &str, name: &str| in_folder(&scratch.path().join(folder), name);
        assert!(matches!(found("a", "a"), Ok(FoundIn::Source(_))));
        assert!(matches!(found("b", "b"), Ok(FoundIn::Compiled(_))));
        for (folder, name, why) in [
            ("c", "c", "it has the application `d`"),
            ("e", "e", "it has neither src/e.app.src nor ebin/e.app"),
            ("f", "f", "there is no such folder"),
        ] {
            let error = found(folder, name).expect_err(name);
            assert_eq!(error.details(), [why]);
        }
    }
}
