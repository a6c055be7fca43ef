//! Operations on a database folder as a whole: locking it, making its directory entries durable,
//! and replacing a file atomically.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::{Error, Result};

/// How often `take` tries to lock the folder, and the pause between two tries. Retrying is
/// necessary because a killed process, or a child that has not called `exec` yet, releases its lock
/// a little late.
const TRIES: usize = 40;
const BETWEEN_TRIES: Duration = Duration::from_millis(10);

/// Exclusive access to a folder. Dropping the value releases the lock.
#[derive(Debug)]
pub struct Lock(#[expect(dead_code, reason = "the lock is held as long as the file is open")] File);

impl Lock {
    /// Locks the file of this name in a folder, and creates both if they do not exist.
    ///
    /// # Errors
    /// [`Error::Io`], with a text that names the other program if the folder is in use.
    pub fn take(folder: &Path, name: &str) -> Result<Self> {
        let path = folder.join(name);
        fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let file = File::create(&path).map_err(Error::io(&path))?;
        for _ in 0..TRIES {
            if file.try_lock().is_ok() {
                return Ok(Lock(file));
            }
            thread::sleep(BETWEEN_TRIES);
        }
        let in_use = "another program, or another VM, has this folder open";
        let error = io::Error::new(io::ErrorKind::ResourceBusy, in_use);
        Err(Error::Io(folder.to_owned(), error))
    }

    /// Like [`Lock::take`], but does not create the folder, whose path may be mistyped.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn take_existing(folder: &Path, name: &str) -> Result<Self> {
        fs::read_dir(folder).map_err(Error::io(folder))?;
        Self::take(folder, name)
    }
}

/// Makes the names of new and renamed files durable.
///
/// # Errors
/// [`Error::Io`].
pub fn sync_folder(folder: &Path) -> Result<()> {
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(Error::io(folder))
}

/// Replaces a file atomically: after a crash, the file has either the old content or the new one.
///
/// Returns [`Error::Io`] on failure. The file then still has its old content.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    let unfinished = PathBuf::from(format!("{}.unfinished", path.display()));
    let written = File::create(&unfinished).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&unfinished, path)
    });
    written
        .inspect_err(|_| drop(fs::remove_file(&unfinished)))
        .map_err(Error::io(path))?;
    sync_folder(path.parent().unwrap_or(Path::new(".")))
}

/// Saves bytes that are about to be cut from a file in a new file beside it, and returns its path.
///
/// # Errors
/// [`Error::Io`].
pub(crate) fn keep_aside(path: &Path, at: usize, bytes: &[u8]) -> Result<PathBuf> {
    let aside = unused_name(&format!("{}.cut-{at}", path.display()));
    fs::write(&aside, bytes).map_err(Error::io(&aside))?;
    Ok(aside)
}

/// Returns a path that does not exist yet: this one, or this one with a number behind it.
fn unused_name(path: &str) -> PathBuf {
    let numbered = (1_u32..).map(|number| PathBuf::from(format!("{path}.{number}")));
    let mut candidates = std::iter::once(PathBuf::from(path)).chain(numbered);
    candidates
        .find(|candidate| !candidate.exists())
        .unwrap_or_else(|| PathBuf::from(path))
}

/// Hard-links files into a new folder beside them, so that the originals can be removed without
/// losing a byte. Returns the folder.
///
/// # Errors
/// [`Error::Io`]. The original files stay in place.
pub fn keep_all(folder: &Path, names: &[String]) -> Result<PathBuf> {
    let kept = unused_name(&folder.join("before-repair").to_string_lossy());
    fs::create_dir(&kept).map_err(Error::io(&kept))?;
    for name in names {
        let path = folder.join(name);
        if path.exists() {
            fs::hard_link(&path, kept.join(name)).map_err(Error::io(&path))?;
        }
    }
    sync_folder(&kept)?;
    Ok(kept)
}
