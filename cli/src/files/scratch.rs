//! Folders that are there while a command works. Ctrl-C and SIGTERM end the command, and remove
//! them first.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use crate::report::{Error, Result};
use crate::signals;

/// How often it is tried to remove a folder. Programs that write into it end at the same time.
const ATTEMPTS: u32 = 50;
/// The time between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A folder that is removed with this value, or when the user stops the command.
pub(crate) struct Scratch {
    folder: TempDir,
}

impl Scratch {
    /// In the system's folder for such.
    pub(crate) fn new() -> Result<Self> {
        let folder = env::temp_dir();
        Self::within(&folder, ".otp-rs-").map_err(|error| match env::var_os("TMPDIR") {
            Some(_) => error.help("the variable TMPDIR names this folder"),
            None => error,
        })
    }

    /// In a folder, with a name that begins so. Only this user can enter it.
    pub(crate) fn within(parent: &Path, prefix: &str) -> Result<Self> {
        signals::end_after(remove_all);
        // Held meanwhile: a folder that is made is known.
        let mut known = folders();
        let folder = TempDir::with_prefix_in(prefix, parent)
            .map_err(|error| Error::io("write in", parent, &error))?;
        known.push(folder.path().to_owned());
        Ok(Self { folder })
    }

    /// The folder.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Does something with it that Ctrl-C and SIGTERM wait for. No folder can be made or removed
    /// meanwhile.
    pub(crate) fn undisturbed<T>(&self, act: impl FnOnce() -> T) -> T {
        let _known = folders();
        act()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let mut known = folders();
        let _ = fs::remove_dir_all(self.folder.path());
        known.retain(|known| known != self.folder.path());
    }
}

fn folders() -> MutexGuard<'static, Vec<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn remove_all() {
    remove(&folders());
}

fn remove(folders: &[PathBuf]) {
    for folder in folders {
        for _ in 0..ATTEMPTS {
            if fs::remove_dir_all(folder).is_ok() || !folder.exists() {
                break;
            }
            thread::sleep(PAUSE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_known_as_long_as_it_is_there() {
        let parent = tempfile::tempdir().unwrap();
        let scratch = Scratch::within(parent.path(), ".some-").unwrap();
        let path = scratch.path().to_owned();
        assert!(path.is_dir() && folders().contains(&path));
        drop(scratch);
        assert!(!path.exists() && !folders().contains(&path));
    }

    #[test]
    fn folders_are_removed_with_all_that_is_in_them() {
        let parent = tempfile::tempdir().unwrap();
        let [full, gone] = ["full", "gone"].map(|name| parent.path().join(name));
        fs::create_dir_all(full.join("a/b")).unwrap();
        fs::write(full.join("a/b/c"), "c").unwrap();
        remove(&[gone, full]);
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }
}
