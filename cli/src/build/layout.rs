//! The built application's folder: `TARGET/otp/PROFILE/NAME/{ebin,priv,src}`.
//!
//! A VM may be running out of it while it is built anew. So a library is never overwritten, only
//! added under a name made of its content, and every file arrives by rename. What is in `ebin`
//! changes when all of it is made and every check has passed ([`super::ebin::Next`]): a build which
//! fails leaves the application of the last one as it was. Modules call functions of their library
//! by number, and those of one build with the library of another would call wrong ones.

use std::fs::{self, File, TryLockError};
use std::hash::Hasher;
use std::io;
use std::path::{Path, PathBuf};

use crate::files::{Scratch, write_unless_same};
use crate::platform::System;
use crate::report::{Error, Result, Ui};

/// The file that a build locks.
const LOCK: &str = ".lock";
/// The file that says which library the modules in `ebin` load.
pub(super) const BUILT: &str = ".built";

/// Waits for a build that is under way in a folder, and holds others off. `None`: the folder is not
/// one of a build.
pub(crate) fn wait_for(folder: &Path, ui: &Ui) -> Result<Option<File>> {
    let path = folder.join(LOCK);
    // A pipe or a link is not a lock.
    if !fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) || folder.is_symlink() {
        return Ok(None);
    }
    File::open(&path)
        .and_then(|file| lock(&file, folder, ui).map(|()| Some(file)))
        .map_err(|error| Error::io("lock", &path, &error))
}

/// Locks the file of a folder. Says so if that is not possible at once, as cargo does.
fn lock(file: &File, folder: &Path, ui: &Ui) -> io::Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            let what = format!("waiting for another build in {}", folder.display());
            ui.status("Blocking", &what);
            file.lock()
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Makes a folder, waits for a build that is under way in it, and holds others off.
pub(super) fn locked(folder: &Path, ui: &Ui) -> Result<File> {
    fs::create_dir_all(folder).map_err(|error| Error::io("create", folder, &error))?;
    let path = folder.join(LOCK);
    File::create(&path)
        .and_then(|file| lock(&file, folder, ui).map(|()| file))
        .map_err(|error| Error::io("lock", &path, &error))
}

/// Whether the modules in a folder's `ebin` are those of the build with this library.
pub(super) fn is_newest(folder: &Path, library: &Path) -> bool {
    let stem = library.file_stem().and_then(|stem| stem.to_str());
    stem.is_some() && built(folder).as_deref() == stem
}

/// The name of the library that the modules in a folder's `ebin` load.
pub(super) fn built(folder: &Path) -> Option<String> {
    fs::read_to_string(folder.join(BUILT)).ok()
}

/// A built application's folder, locked against a second build.
pub(crate) struct BuildFolder {
    /// The folder itself.
    pub(crate) path: PathBuf,
    /// Holds the lock while the build lasts.
    _lock: File,
}

impl BuildFolder {
    /// Makes the folders and waits for a build that is under way.
    pub(crate) fn open(folder: PathBuf, ui: &Ui) -> Result<Self> {
        for name in ["ebin", "priv", "src"] {
            let path = folder.join(name);
            fs::create_dir_all(&path).map_err(|error| Error::io("create", &path, &error))?;
        }
        let lock = locked(&folder, ui)?;
        Ok(Self {
            path: folder,
            _lock: lock,
        })
    }

    /// The folder of compiled modules.
    pub(crate) fn ebin(&self) -> PathBuf {
        self.path.join("ebin")
    }

    /// The file of a library's name.
    pub(crate) fn library(&self, stem: &str) -> PathBuf {
        self.path.join("priv").join(System::host().nif(stem))
    }

    /// Writes a file of the folder unless it holds that text already.
    pub(crate) fn write(&self, file: &str, text: &str) -> Result<()> {
        write_unless_same(&self.path.join(file), text.as_bytes())
    }

    /// A folder beside `ebin`, so that its files can be renamed into that one.
    pub(crate) fn scratch(&self) -> Result<Scratch> {
        Scratch::within(&self.path, ".next-")
    }

    /// Says which library the modules in `ebin` load from now on.
    pub(super) fn has_built(&self, library: &str) -> Result<()> {
        self.write(BUILT, library)
    }

    /// What a library has answered to a request, if that was made before.
    pub(crate) fn known(&self, key: &CacheKey<'_>) -> Option<String> {
        let text = fs::read_to_string(self.path.join(key.file)).ok()?;
        let (of, answer) = text.split_once('\n')?;
        (of == key.text()).then(|| answer.to_owned())
    }

    /// Remembers what a library has answered.
    pub(crate) fn remember(&self, key: &CacheKey<'_>, answer: &str) -> Result<()> {
        self.write(key.file, &format!("{}\n{answer}", key.text()))
    }
}

/// What a library is asked in a VM. The same library has the same answer.
pub(crate) struct CacheKey<'a> {
    /// The file of the answer.
    pub(crate) file: &'static str,
    /// The name of the library.
    pub(crate) library: &'a str,
    /// What it is told. May be empty.
    pub(crate) text: &'a str,
}

impl CacheKey<'_> {
    /// One line that tells questions to one file apart.
    fn text(&self) -> String {
        format!("{} {:016x}", self.library, hash(self.text.as_bytes()))
    }
}

pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| Error::io("read", folder, &error))?;
    Ok(entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .collect())
}

/// A name for the content. Nobody has a reason to forge a collision with their own library.
pub(super) fn hash(content: &[u8]) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(content);
    hasher.finish()
}

#[cfg(test)]
pub(crate) mod tests;
