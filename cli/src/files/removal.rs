//! Removes build results, without following links.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::report::{Error, Result};

/// The amount of removed data.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Removed {
    /// Files and links.
    pub(crate) files: u64,
    pub(crate) bytes: u64,
}

impl Removed {
    /// Removes a file, or a folder with everything in it. Of a link, only the link itself is
    /// removed.
    pub(crate) fn remove(&mut self, path: &Path) -> Result<()> {
        let refused = |error| Error::io("remove", path, &error);
        let found = match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            found => found.map_err(refused)?,
        };
        let mut inside = Removed::default();
        if found.is_dir() {
            inside.count(path)?;
            fs::remove_dir_all(path).map_err(refused)?;
        } else {
            inside.add(&found);
            fs::remove_file(path).map_err(refused)?;
        }
        self.files += inside.files;
        self.bytes += inside.bytes;
        Ok(())
    }

    fn add(&mut self, file: &fs::Metadata) {
        self.files += 1;
        self.bytes += file.len();
    }

    /// Counts the files below a folder.
    fn count(&mut self, folder: &Path) -> Result<()> {
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            for path in entries(&folder)? {
                match fs::symlink_metadata(&path) {
                    Ok(found) if found.is_dir() => folders.push(path),
                    Ok(found) => self.add(&found),
                    // Another program has removed it.
                    Err(_) => {}
                }
            }
        }
        Ok(())
    }
}

/// Returns the entries of a folder, in order of name. The result is empty if the folder does not
/// exist, or is a link.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    match fs::symlink_metadata(folder) {
        Ok(found) if found.is_dir() => {}
        _ => return Ok(Vec::new()),
    }
    let read = || {
        fs::read_dir(folder)?
            .map(|entry| Ok(entry?.path()))
            .collect()
    };
    let entries: io::Result<Vec<PathBuf>> = read();
    let mut entries = entries.map_err(|error| Error::io("read", folder, &error))?;
    entries.sort();
    Ok(entries)
}
