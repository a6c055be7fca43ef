//! Temporary folders that exist while a command works. Ctrl-C and SIGTERM remove them before they
//! end the command. If a command is killed, a later command removes its folders in the system's
//! temporary folder.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::Duration;

use tempfile::{Builder, TempDir};

use crate::platform;
use crate::report::{Error, Result};
use crate::signals;

/// Number of attempts to remove a folder. Programs that write into it are ending at the same time.
const ATTEMPTS: u32 = 50;
/// The time between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// The prefix of the name of a folder in the system's temporary folder.
const PREFIX: &str = ".otp-rs-";
/// The file that a command locks as long as it uses the folder.
const LOCK: &str = ".lock";
/// A folder without that file belongs to a command that is just creating it, unless it is older
/// than this.
const MAKING: Duration = Duration::from_secs(3600);

static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A folder that is removed when this value is dropped, or when the user stops the command.
pub(crate) struct Scratch {
    folder: TempDir,
    _lock: Option<File>,
}

impl Scratch {
    /// Creates a folder in the system's temporary folder.
    pub(crate) fn new() -> Result<Self> {
        static ABANDONED: Once = Once::new();
        let parent = env::temp_dir();
        ABANDONED.call_once(|| remove_abandoned(&parent));
        let refused = |error: Error| match env::var_os("TMPDIR") {
            Some(_) => error.help("the variable TMPDIR names this folder"),
            None => error,
        };
        let mut scratch = Self::within(&parent, PREFIX).map_err(refused)?;
        let path = scratch.path().join(LOCK);
        let lock = File::create_new(&path).and_then(|file| file.lock().map(|()| file));
        scratch._lock = Some(lock.map_err(|error| Error::io("lock", &path, &error))?);
        Ok(scratch)
    }

    /// Creates a folder in another one, with a name that begins with `prefix`. Only this user can
    /// enter it.
    pub(crate) fn within(parent: &Path, prefix: &str) -> Result<Self> {
        signals::end_after(remove_all);
        // The lock is held during creation, so that every existing folder is registered.
        let mut known = folders();
        let folder = Builder::new()
            .prefix(prefix)
            .permissions(platform::permissions(platform::PRIVATE_FOLDER))
            .tempdir_in(parent)
            .map_err(|error| Error::io("write in", parent, &error))?;
        known.push(folder.path().to_owned());
        Ok(Self {
            folder,
            _lock: None,
        })
    }

    /// The folder.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs an action that Ctrl-C and SIGTERM wait for. During it, no folder can be created or
    /// removed.
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

/// Removes folders of this user's commands that were killed. A folder that cannot be removed is
/// kept.
fn remove_abandoned(parent: &Path) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let named = entries.filter(|entry| {
        let name = entry.file_name();
        name.as_encoded_bytes().starts_with(PREFIX.as_bytes())
    });
    for entry in named {
        let folder = entry.path();
        let is_own = fs::symlink_metadata(&folder)
            .is_ok_and(|found| found.is_dir() && platform::is_own(&found));
        if is_own && is_abandoned(&folder) {
            let _ = fs::remove_dir_all(&folder);
        }
    }
}

fn is_abandoned(folder: &Path) -> bool {
    match File::open(folder.join(LOCK)) {
        Ok(lock) => lock.try_lock().is_ok(),
        Err(_) => {
            let changed = fs::metadata(folder).and_then(|found| found.modified());
            changed.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > MAKING))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_killed_commands_are_removed_and_nothing_else() {
        let parent = tempfile::tempdir().unwrap();
        let of = |name: &str| parent.path().join(name);
        for folder in [
            ".otp-rs-killed/deep",
            ".otp-rs-used",
            ".otp-rs-making",
            ".otp-rs-old",
            "other",
        ] {
            fs::create_dir_all(of(folder)).unwrap();
        }
        fs::write(of(".otp-rs-killed").join(LOCK), "").unwrap();
        let used = File::create(of(".otp-rs-used").join(LOCK)).unwrap();
        used.lock().unwrap();
        let long_ago = std::time::SystemTime::now() - 2 * MAKING;
        let old = File::open(of(".otp-rs-old")).unwrap();
        old.set_modified(long_ago).unwrap();
        platform::link(of("other"), of(".otp-rs-link")).unwrap();
        fs::write(of(".otp-rs-file"), "").unwrap();
        remove_abandoned(parent.path());
        let left = fs::read_dir(parent.path()).unwrap().flatten();
        let mut left: Vec<_> = left.map(|entry| entry.file_name()).collect();
        left.sort();
        let expected = [
            ".otp-rs-file",
            ".otp-rs-link",
            ".otp-rs-making",
            ".otp-rs-used",
            "other",
        ];
        assert_eq!(left, expected);
    }

    #[test]
    fn only_this_user_can_enter_a_folder() {
        let scratch = Scratch::new().unwrap();
        let found = scratch.path().metadata().unwrap();
        assert_eq!(platform::mode(&found) & 0o777, platform::PRIVATE_FOLDER);
        assert!(!is_abandoned(scratch.path()));
    }

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
