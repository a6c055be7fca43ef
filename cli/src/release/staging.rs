//! The folder in which a release is assembled. If its command was killed, the next command removes
//! it.

use std::fs::File;
use std::path::Path;

use crate::files::{Removed, Scratch, entries};
use crate::report::{Error, Result};

/// The prefix of the name of such a folder.
const PREFIX: &str = ".release-";
/// The file that a command locks as long as it runs: in its own folder, and in that of all releases
/// while it searches for abandoned ones.
const LOCK: &str = ".lock";

/// A folder that other commands do not remove.
pub(super) struct Staging {
    folder: Scratch,
    _lock: File,
}

impl Staging {
    /// Creates one in the folder of releases, and removes abandoned ones.
    pub(super) fn open(releases: &Path) -> Result<Self> {
        let _all = locked(releases)?;
        remove(releases, &mut Removed::default())?;
        let folder = Scratch::within(releases, PREFIX)?;
        let lock = locked(folder.path())?;
        Ok(Self {
            folder,
            _lock: lock,
        })
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn scratch(&self) -> &Scratch {
        &self.folder
    }
}

/// Removes the folders that commands have left behind.
pub(crate) fn remove_abandoned(releases: &Path, removed: &mut Removed) -> Result<()> {
    if entries(releases)?.is_empty() {
        return Ok(());
    }
    let _all = locked(releases)?;
    remove(releases, removed)
}

fn remove(releases: &Path, removed: &mut Removed) -> Result<()> {
    for folder in entries(releases)?
        .into_iter()
        .filter(|folder| is_abandoned(folder))
    {
        // A program that the command has started may still write into it.
        let _ = removed.remove(&folder);
    }
    Ok(())
}

fn is_abandoned(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default();
    let is_staging = name.to_string_lossy().starts_with(PREFIX);
    is_staging
        && match File::open(folder.join(LOCK)) {
            Ok(lock) => lock.try_lock().is_ok(),
            Err(_) => true,
        }
}

fn locked(folder: &Path) -> Result<File> {
    let path = folder.join(LOCK);
    File::create(&path)
        .and_then(|file| file.lock().map(|()| file))
        .map_err(|error| Error::io("lock", &path, &error))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_a_killed_command_has_left_is_removed_and_nothing_else() {
        let releases = tempfile::tempdir().unwrap();
        let of = |name: &str| releases.path().join(name);
        for folder in [".release-old/lib", ".release-killed", "x-0.1.0"] {
            fs::create_dir_all(of(folder)).unwrap();
        }
        fs::write(of(".release-killed").join(LOCK), "").unwrap();
        let first = Staging::open(releases.path()).unwrap();
        let second = Staging::open(releases.path()).unwrap();
        remove_abandoned(releases.path(), &mut Removed::default()).unwrap();
        assert!(first.path().is_dir() && second.path().is_dir());
        let left = entries(releases.path()).unwrap();
        assert_eq!(left.len(), 4, "{left:?}");
        assert!(of("x-0.1.0").is_dir());
    }
}
