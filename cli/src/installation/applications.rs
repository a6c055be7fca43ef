//! The applications of an OTP: installed, unpacked somewhere else, or its source repository.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Installation, release_of, version};
use crate::report::{Error, Result, catalog};

/// Locations of OTP's root below a folder: the folder may be a prefix, or the root of a system.
const BELOW: &[&str] = &["", "lib/erlang", "usr/lib/erlang", "usr/local/lib/erlang"];

/// OTP 25 has stdlib 4, and each later release has the next number.
const RELEASE_OF_STDLIB_0: u32 = 21;

/// The applications of an OTP, and its release.
#[derive(Debug, Default, Clone)]
pub(crate) struct Applications {
    /// The first number of its version.
    pub(crate) release: u32,
    /// Name to the newest folder: `stdlib` to `ROOT/lib/stdlib-4.2`.
    folders: BTreeMap<String, PathBuf>,
}

impl Applications {
    /// Finds the OTP in a folder that the user named.
    pub(crate) fn at(folder: &Path) -> Result<Self> {
        fs::read_dir(folder).map_err(|error| Error::io("read", folder, &error))?;
        let root = BELOW
            .iter()
            .map(|below| folder.join(below))
            .find(|root| newest_applications(&root.join("lib")).contains_key("stdlib"))
            .ok_or_else(|| catalog::NO_OTP.error().at(folder.display()))?;
        let applications = applications(&root);
        let release = release(&root, &applications)
            .ok_or_else(|| catalog::UNKNOWN_RELEASE.error().at(root.display()))?;
        Ok(Self {
            release,
            folders: applications,
        })
    }

    /// Returns the applications of the installed OTP.
    pub(crate) fn of(otp: &Installation) -> Self {
        Self {
            release: otp.release,
            folders: applications(&otp.root),
        }
    }

    /// Returns their folders, in order of name.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &Path> {
        self.folders.values().map(PathBuf::as_path)
    }

    pub(crate) fn folder(&self, name: &str) -> Option<&Path> {
        self.folders.get(name).map(PathBuf::as_path)
    }

    /// Returns the compiled module of that name, if one of them contains it.
    pub(crate) fn beam(&self, module: &str) -> Option<PathBuf> {
        let file = format!("ebin/{module}.beam");
        let mut beams = self.folders().map(|folder| folder.join(&file));
        beams.find(|path| path.is_file())
    }
}

fn applications(root: &Path) -> BTreeMap<String, PathBuf> {
    let mut applications = newest_applications(&root.join("lib"));
    // The run time system is beside `lib`. In an installation, its modules are nevertheless in
    // `lib`.
    if let Some((name, beside)) = newest_applications(root).remove_entry("erts") {
        applications.entry(name).or_insert(beside);
    }
    applications
}

/// Returns the applications in the folders of `ERL_LIBS`, by name. The first folder that has one
/// counts, as in Erlang.
pub(crate) fn libraries() -> BTreeMap<String, PathBuf> {
    let mut libraries = BTreeMap::new();
    let folders = env::var_os("ERL_LIBS").unwrap_or_default();
    for folder in env::split_paths(&folders).filter(|folder| !folder.as_os_str().is_empty()) {
        for (name, path) in newest_applications(&folder) {
            libraries.entry(name).or_insert(path);
        }
    }
    libraries
}

/// Returns the folders `NAME` and `NAME-VERSION` of a folder, but only the newest of each name.
pub(crate) fn newest_applications(folder: &Path) -> BTreeMap<String, PathBuf> {
    let mut newest: BTreeMap<String, (Vec<u64>, PathBuf)> = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let file_name = entry.file_name();
        let Some(file_name) = file_name.to_str() else {
            continue;
        };
        let (name, version) = name_and_version(file_name);
        let is_newer = newest.get(name).is_none_or(|(known, _)| *known < version);
        if is_newer && entry.path().is_dir() {
            newest.insert(name.to_owned(), (version, entry.path()));
        }
    }
    newest
        .into_iter()
        .map(|(name, (_, path))| (name, path))
        .collect()
}

/// Splits `stdlib-4.2.1` into `stdlib` and 4, 2, 1.
pub(crate) fn name_and_version(folder: &str) -> (&str, Vec<u64>) {
    match folder.rsplit_once('-') {
        Some((name, version)) if version.starts_with(|c: char| c.is_ascii_digit()) => {
            let numbers = version.split(|c: char| !c.is_ascii_digit());
            (name, numbers.map(|n| n.parse().unwrap_or(0)).collect())
        }
        _ => (folder, Vec::new()),
    }
}

/// Returns the release from the version file, or otherwise from the version of stdlib.
fn release(root: &Path, applications: &BTreeMap<String, PathBuf>) -> Option<u32> {
    let said = fs::read_to_string(root.join("OTP_VERSION"))
        .or_else(|_| version(root).map_err(drop))
        .ok()
        .and_then(|version| release_of(version.trim()));
    said.or_else(|| {
        let folder = applications.get("stdlib")?.file_name()?.to_str()?;
        let (_, version) = name_and_version(folder);
        let major = u32::try_from(*version.first()?).ok()?;
        major.checked_add(RELEASE_OF_STDLIB_0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (file, text) in files {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn an_installed_otp_is_found_below_a_prefix() {
        let root = folder(&[
            ("usr/lib/erlang/releases/27/OTP_VERSION", "27.3.4\n"),
            ("usr/lib/erlang/lib/stdlib-6.2/ebin/lists.beam", ""),
            ("usr/lib/erlang/erts-15.2/include/erl_nif.h", ""),
        ]);
        let applications = Applications::at(root.path()).unwrap();
        assert_eq!(applications.release, 27);
        assert!(
            applications
                .folder("stdlib")
                .unwrap()
                .ends_with("stdlib-6.2")
        );
        assert!(applications.folder("erts").unwrap().ends_with("erts-15.2"));
        assert!(applications.folder("std").is_none());
    }

    #[test]
    fn a_source_repository_has_applications_without_versions() {
        let root = folder(&[
            ("OTP_VERSION", "29.0-rc1\n"),
            ("lib/stdlib/src/lists.erl", ""),
        ]);
        let applications = Applications::at(root.path()).unwrap();
        assert_eq!(applications.release, 29);
        assert!(applications.folder("stdlib").is_some());
    }

    #[test]
    fn without_a_version_file_the_version_of_stdlib_tells() {
        let root = folder(&[("lib/stdlib-8.0.1/src/lists.erl", "")]);
        assert_eq!(Applications::at(root.path()).unwrap().release, 29);
    }

    #[test]
    fn a_folder_without_otp_is_refused() {
        let root = folder(&[("lib/other/src/a.erl", "")]);
        let error = Applications::at(root.path()).unwrap_err();
        assert!(error.what().contains("no OTP in this folder"), "{error:?}");
        assert!(Applications::at(&root.path().join("none")).is_err());
        let root = folder(&[("lib/stdlib/src/lists.erl", "")]);
        let error = Applications::at(root.path()).unwrap_err();
        assert!(error.what().contains("which release"), "{error:?}");
    }

    #[test]
    fn of_several_versions_the_newest_is_taken() {
        let root = folder(&[
            ("lib/stdlib-9.9/src/a", ""),
            ("lib/stdlib-10.1/src/a", ""),
            ("lib/stdlib-10.1.1/src/a", ""),
        ]);
        let found = newest_applications(&root.path().join("lib"));
        assert!(found["stdlib"].ends_with("stdlib-10.1.1"), "{found:?}");
    }

    #[test]
    fn modules_and_applications_are_known_by_name() {
        let root = folder(&[
            ("lib/stdlib-4.2/src/lists.erl", ""),
            ("lib/os_mon-2.8/ebin/disksup.beam", ""),
        ]);
        let otp = Applications::at(root.path()).unwrap();
        assert!(otp.folder("os_mon").is_some());
        assert!(otp.folder("os").is_none());
        assert!(otp.beam("disksup").is_some());
        assert!(otp.beam("counter").is_none());
    }
}
