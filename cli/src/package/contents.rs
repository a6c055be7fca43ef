//! The files of a package, in memory and in order of name.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::build::{Built, cargo};
use crate::files::read_regular;
use crate::project::Application;
use crate::report::{Error, Result};

/// The folder of the crate. A package must not have the crate in its root, because rebar3 and mix
/// search for Erlang in `src`.
const CRATE: &str = "native";

/// Files of a crate that hex.pm and people expect in the root, by the beginnings of their names.
const IN_ROOT: [&str; 3] = ["README", "LICENSE", "CHANGELOG"];

/// The files of a package by their paths, which are separated by `/` on every system.
#[derive(Debug, Default)]
pub(super) struct Contents {
    files: BTreeMap<String, Vec<u8>>,
}

impl Contents {
    pub(super) fn add(&mut self, path: &str, content: impl Into<Vec<u8>>) {
        self.files.insert(path.to_owned(), content.into());
    }

    /// Adds the files of the crate that cargo would publish.
    pub(super) fn add_crate(&mut self, application: &Application, built: &Built) -> Result<()> {
        for file in cargo::published_files(&application.folder)? {
            let path = match application.folder.join(&file) {
                path if path.is_file() => path,
                // The lock file of a workspace is in its root.
                _ if file == "Cargo.lock" => built.workspace.join(&file),
                // cargo only writes it into its own packages.
                _ => continue,
            };
            if !path.is_file() {
                continue;
            }
            let content = read(&path)?;
            if !file.contains('/') && IN_ROOT.iter().any(|name| file.starts_with(name)) {
                self.add(&file, content.clone());
            }
            self.add(&format!("{CRATE}/{file}"), content);
        }
        Ok(())
    }

    /// Returns a checksum of all paths and contents.
    pub(super) fn digest(&self) -> String {
        let mut all = Vec::new();
        for (path, content) in &self.files {
            all.extend(format!("{} {path}\n", checksum(content)).into_bytes());
        }
        checksum(&all)
    }

    /// Returns the paths and the contents.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let files = self.files.iter();
        files.map(|(path, content)| (path.as_str(), content.as_slice()))
    }

    /// Writes the files of one folder below another one.
    pub(super) fn write_folder(&self, folder: &str, into: &Path) -> Result<()> {
        let prefix = format!("{folder}/");
        for (path, content) in self.files().filter(|(path, _)| path.starts_with(&prefix)) {
            let path = into.join(path);
            let parent = path.parent().unwrap_or(into);
            fs::create_dir_all(parent).map_err(|error| Error::io("create", parent, &error))?;
            fs::write(&path, content).map_err(|error| Error::io("write", &path, &error))?;
        }
        Ok(())
    }
}

/// Returns the content of a file of the user's.
pub(super) fn read(path: &Path) -> Result<Vec<u8>> {
    read_regular(path).map_err(|error| Error::io("read", path, &error))
}

/// Returns the SHA-256 of some bytes in lower-case hexadecimal digits.
pub(super) fn checksum(bytes: &[u8]) -> String {
    let digits = Sha256::digest(bytes);
    digits.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_standard() {
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(checksum(b"abc"), known);
    }

    #[test]
    fn the_digest_covers_paths_and_contents() {
        let with = |path: &str, content: &str| {
            let mut contents = Contents::default();
            contents.add(path, content);
            contents.digest()
        };
        assert_eq!(with("a", "1"), with("a", "1"));
        assert_ne!(with("a", "1"), with("b", "1"));
        assert_ne!(with("a", "1"), with("a", "2"));
    }
}
