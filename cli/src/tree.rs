//! A tree of OTP: installed, unpacked somewhere else, or its source repository.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::installation::{self, Installation};

/// Where a root may lie below the folder that was named: a prefix, a system's root.
const BELOW: &[&str] = &["", "lib/erlang", "usr/lib/erlang", "usr/local/lib/erlang"];

/// OTP 25 has stdlib 4, and both have counted on together since.
const RELEASE_OF_STDLIB_0: u32 = 21;

/// The applications of an OTP, and which release it is.
#[derive(Debug, Default, Clone)]
pub(crate) struct Tree {
    /// The first number of its version.
    pub(crate) release: u32,
    /// Name to folder: `stdlib` to `ROOT/lib/stdlib-4.2`, the newest of them.
    applications: BTreeMap<String, PathBuf>,
}

impl Tree {
    /// The OTP at a folder that the user named.
    pub(crate) fn at(folder: &Path) -> Result<Self> {
        fs::read_dir(folder).map_err(|error| Error::io("read", folder, &error))?;
        let root = BELOW
            .iter()
            .map(|below| folder.join(below))
            .find(|root| newest_applications(&root.join("lib")).contains_key("stdlib"))
            .ok_or_else(|| {
                Error::user("there is no OTP in this folder: it has no `lib/stdlib`")
                    .at(folder.display())
                    .help("name the folder that `code:root_dir()` gives there, such as /usr/lib/erlang")
            })?;
        let applications = applications(&root);
        let release = release(&root, &applications).ok_or_else(|| {
            Error::user("this OTP does not say which release it is")
                .at(root.display())
                .help("there should be a file `OTP_VERSION`, in it or in `releases/RELEASE`")
        })?;
        Ok(Self {
            release,
            applications,
        })
    }

    /// The installed OTP.
    pub(crate) fn of(otp: &Installation) -> Self {
        Self {
            release: otp.release,
            applications: applications(&otp.root),
        }
    }

    /// The folders of its applications, in order of name.
    pub(crate) fn applications(&self) -> impl Iterator<Item = &Path> {
        self.applications.values().map(PathBuf::as_path)
    }

    /// The folder of one of its applications.
    pub(crate) fn application(&self, name: &str) -> Option<&Path> {
        self.applications.get(name).map(PathBuf::as_path)
    }
}

fn applications(root: &Path) -> BTreeMap<String, PathBuf> {
    let mut applications = newest_applications(&root.join("lib"));
    // The run time system lies beside `lib`; once installed, its modules are in `lib` all the same.
    if let Some((name, beside)) = newest_applications(root).remove_entry("erts") {
        applications.entry(name).or_insert(beside);
    }
    applications
}

/// The folders `NAME` or `NAME-VERSION` of a folder, of each name the newest.
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

/// `stdlib-4.2.1` is `stdlib` and 4, 2, 1.
pub(crate) fn name_and_version(folder: &str) -> (&str, Vec<u64>) {
    match folder.rsplit_once('-') {
        Some((name, version)) if version.starts_with(|c: char| c.is_ascii_digit()) => {
            let numbers = version.split(|c: char| !c.is_ascii_digit());
            (name, numbers.map(|n| n.parse().unwrap_or(0)).collect())
        }
        _ => (folder, Vec::new()),
    }
}

/// As its version file says, or else as its stdlib's version tells.
fn release(root: &Path, applications: &BTreeMap<String, PathBuf>) -> Option<u32> {
    let said = fs::read_to_string(root.join("OTP_VERSION"))
        .or_else(|_| installation::version(root).map_err(drop))
        .ok()
        .and_then(|version| installation::release_of(version.trim()));
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
    fn an_installed_tree_is_found_below_a_prefix() {
        let root = folder(&[
            ("usr/lib/erlang/releases/27/OTP_VERSION", "27.3.4\n"),
            ("usr/lib/erlang/lib/stdlib-6.2/ebin/lists.beam", ""),
            ("usr/lib/erlang/erts-15.2/include/erl_nif.h", ""),
        ]);
        let tree = Tree::at(root.path()).unwrap();
        assert_eq!(tree.release, 27);
        assert!(tree.application("stdlib").unwrap().ends_with("stdlib-6.2"));
        assert!(tree.application("erts").unwrap().ends_with("erts-15.2"));
        assert!(tree.application("std").is_none());
    }

    #[test]
    fn a_source_tree_has_applications_without_versions() {
        let root = folder(&[
            ("OTP_VERSION", "29.0-rc1\n"),
            ("lib/stdlib/src/lists.erl", ""),
        ]);
        let tree = Tree::at(root.path()).unwrap();
        assert_eq!(tree.release, 29);
        assert!(tree.application("stdlib").is_some());
    }

    #[test]
    fn without_a_version_file_the_version_of_stdlib_tells() {
        let root = folder(&[("lib/stdlib-8.0.1/src/lists.erl", "")]);
        assert_eq!(Tree::at(root.path()).unwrap().release, 29);
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        let root = folder(&[("lib/other/src/a.erl", "")]);
        let error = Tree::at(root.path()).unwrap_err();
        assert!(error.what().contains("no OTP in this folder"), "{error:?}");
        assert!(Tree::at(&root.path().join("none")).is_err());
        let root = folder(&[("lib/stdlib/src/lists.erl", "")]);
        let error = Tree::at(root.path()).unwrap_err();
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
}
