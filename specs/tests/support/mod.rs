//! The installed OTP, for tests: its location, files and headers.
#![allow(clippy::disallowed_methods, dead_code)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};

use otp_specs::{Include, Includes, Options, Parsed, Release, Unit, parse_beam, parse_source};

/// OTP's root, as `erl` reports it.
pub(crate) fn root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| PathBuf::from(ask("io:put_chars(code:root_dir())")))
}

/// The installed release.
pub(crate) fn release() -> Release {
    static RELEASE: OnceLock<Release> = OnceLock::new();
    *RELEASE.get_or_init(|| {
        let text = ask("io:put_chars(erlang:system_info(otp_release))");
        Release(text.parse().expect("a release is a number"))
    })
}

/// The folder of the applications that came with Elixir, if it is installed.
pub(crate) fn elixir() -> Option<PathBuf> {
    let expression = "IO.write(:code.lib_dir(:elixir))";
    let output = Command::new("elixir")
        .args(["-e", expression])
        .output()
        .ok()?;
    let application = PathBuf::from(String::from_utf8(output.stdout).ok()?);
    Some(application.parent()?.to_owned())
}

/// The output of an expression.
fn ask(expression: &str) -> String {
    let output = Command::new("erl")
        .args(["-noshell", "-eval", &format!("{expression}, halt().")])
        .output()
        .expect("erl starts: install Erlang (`cargo xtask test` does)");
    String::from_utf8(output.stdout).expect("erl prints text")
}

/// The folders of OTP's applications, sorted.
pub(crate) fn applications() -> &'static [PathBuf] {
    static APPLICATIONS: OnceLock<Vec<PathBuf>> = OnceLock::new();
    APPLICATIONS.get_or_init(|| folder(&root().join("lib")))
}

/// A folder's entries, sorted; empty if there is no such folder.
pub(crate) fn folder(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// All files below a folder with that ending, sorted.
pub(crate) fn files_below(path: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in folder(path) {
        if entry.is_dir() {
            files.extend(files_below(&entry, ending));
        } else if entry.extension().is_some_and(|known| known == ending) {
            files.push(entry);
        }
    }
    files
}

/// The folder of an application.
pub(crate) fn application(name: &str) -> PathBuf {
    installed_application(name)
        .expect("the application is installed")
        .to_owned()
}

/// The folder of an application, `name-version` or `name`.
fn installed_application(name: &str) -> Option<&'static Path> {
    let is_wanted = |path: &&PathBuf| {
        let folder = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        folder.rsplit_once('-').map_or(folder, |(name, _)| name) == name
    };
    applications().iter().find(is_wanted).map(PathBuf::as_path)
}

/// Headers of the installed OTP. Searched in this order: the including file's folder, the given
/// folders, then applications by name.
pub(crate) struct Headers {
    pub(crate) folders: Vec<PathBuf>,
    units: Mutex<BTreeMap<PathBuf, Option<Arc<Unit>>>>,
}

impl Headers {
    pub(crate) fn new(folders: Vec<PathBuf>) -> Self {
        Headers {
            folders,
            units: Mutex::default(),
        }
    }

    fn unit(&self, path: &Path) -> Option<Arc<Unit>> {
        let mut units = self
            .units
            .lock()
            .expect("no test panics while it reads a header");
        let read = |path: &Path| {
            let bytes = fs::read(path).ok()?;
            Some(Arc::new(Unit::read(
                &path.to_string_lossy(),
                &bytes,
                release(),
            )))
        };
        units
            .entry(path.to_owned())
            .or_insert_with(|| read(path))
            .clone()
    }
}

impl Includes for Headers {
    fn include(&self, include: &Include<'_>) -> Option<Arc<Unit>> {
        let here = Path::new(include.from)
            .parent()
            .unwrap_or(Path::new(""))
            .to_owned();
        let folders = std::iter::once(&here).chain(&self.folders);
        let found = folders
            .map(|folder| folder.join(include.name))
            .find_map(|p| self.unit(&p));
        if found.is_some() || !include.lib {
            return found;
        }
        let (name, rest) = include.name.split_once('/')?;
        self.unit(&installed_application(name)?.join(rest))
    }
}

/// Reads a module's source with OTP's headers.
pub(crate) fn source(path: &Path) -> Parsed {
    let headers = Headers::new(vec![application("kernel").join("include")]);
    let options = Options {
        release: release(),
        ..Options::default()
    };
    let bytes = fs::read(path).expect("the source is installed");
    parse_source(&path.to_string_lossy(), &bytes, &headers, &options)
}

/// Reads a BEAM file.
pub(crate) fn beam(path: &Path) -> Parsed {
    parse_beam(
        &path.to_string_lossy(),
        &fs::read(path).expect("the module is installed"),
    )
}
