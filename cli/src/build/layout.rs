//! The built application's folder: `TARGET/otp/PROFILE/NAME/{ebin,priv,src}`.
//!
//! A VM may be running from this folder during a build. Therefore a library is never overwritten,
//! only added under a name derived from its content, and every file arrives by rename. `ebin`
//! changes only when all of its new contents are complete and every check has passed
//! ([`super::ebin::Next`]): a build that fails leaves the last application unchanged. This matters
//! because modules call functions of their library by number, and modules of one build would call
//! the wrong functions in the library of another.

use std::fs::{self, File, TryLockError};
use std::hash::Hasher;
use std::io;
use std::path::{Path, PathBuf};

use crate::files::{Scratch, write_unless_same};
use crate::platform::System;
use crate::report::{Error, Result, Ui};

/// The file that a build locks.
const LOCK: &str = ".lock";
/// The file with the name of the library that the modules in `ebin` load.
pub(super) const BUILT: &str = ".built";

/// Waits for a running build in a folder, and locks the folder against others. Returns `None` if
/// the folder does not belong to a build.
pub(crate) fn wait_for(folder: &Path, ui: &Ui) -> Result<Option<File>> {
    let path = folder.join(LOCK);
    // A pipe or a link cannot be a lock.
    if !fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) || folder.is_symlink() {
        return Ok(None);
    }
    File::open(&path)
        .and_then(|file| lock(&file, folder, ui).map(|()| Some(file)))
        .map_err(|error| Error::io("lock", &path, &error))
}

/// Locks the file of a folder. If it has to wait, it tells the user, as cargo does.
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

/// Creates a folder, waits for a running build in it, and locks it against others.
pub(super) fn locked(folder: &Path, ui: &Ui) -> Result<File> {
    fs::create_dir_all(folder).map_err(|error| Error::io("create", folder, &error))?;
    let path = folder.join(LOCK);
    File::create(&path)
        .and_then(|file| lock(&file, folder, ui).map(|()| file))
        .map_err(|error| Error::io("lock", &path, &error))
}

/// Returns whether the modules in a folder's `ebin` belong to the build with this library.
pub(super) fn is_newest(folder: &Path, library: &Path) -> bool {
    let stem = library.file_stem().and_then(|stem| stem.to_str());
    stem.is_some() && built(folder).as_deref() == stem
}

/// Returns the name of the library that the modules in a folder's `ebin` load.
pub(super) fn built(folder: &Path) -> Option<String> {
    fs::read_to_string(folder.join(BUILT)).ok()
}

/// A built application's folder, locked against a second build.
pub(crate) struct BuildFolder {
    /// The folder itself.
    pub(crate) path: PathBuf,
    /// Holds the lock during the build.
    _lock: File,
}

impl BuildFolder {
    /// Creates the folders and waits for a running build.
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

    /// Returns the folder of compiled modules.
    pub(crate) fn ebin(&self) -> PathBuf {
        self.path.join("ebin")
    }

    /// Returns the file of a library with this name.
    pub(crate) fn library(&self, stem: &str) -> PathBuf {
        self.path.join("priv").join(System::host().nif(stem))
    }

    /// Writes a file of the folder, unless it already contains that text.
    pub(crate) fn write(&self, file: &str, text: &str) -> Result<()> {
        write_unless_same(&self.path.join(file), text.as_bytes())
    }

    /// Creates a folder beside `ebin`, so that its files can be renamed into `ebin`.
    pub(crate) fn scratch(&self) -> Result<Scratch> {
        Scratch::within(&self.path, ".next-")
    }

    /// Records which library the modules in `ebin` load.
    pub(super) fn has_built(&self, library: &str) -> Result<()> {
        self.write(BUILT, library)
    }

    /// Returns a library's recorded answer to a request, if there is one.
    pub(crate) fn known(&self, key: &CacheKey<'_>) -> Option<String> {
        let text = fs::read_to_string(self.path.join(key.file)).ok()?;
        let (of, answer) = text.split_once('\n')?;
        (of == key.text()).then(|| answer.to_owned())
    }

    /// Records a library's answer.
    pub(crate) fn remember(&self, key: &CacheKey<'_>, answer: &str) -> Result<()> {
        self.write(key.file, &format!("{}\n{answer}", key.text()))
    }
}

/// A request to a library, which it answers in a VM. A library always gives the same answer to a
/// request.
pub(crate) struct CacheKey<'a> {
    /// The file of the answer.
    pub(crate) file: &'static str,
    /// The name of the library.
    pub(crate) library: &'a str,
    /// The argument of the request. May be empty.
    pub(crate) text: &'a str,
}

impl CacheKey<'_> {
    /// Returns one line that distinguishes requests with the same file.
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

/// Returns the name of an application's library with this content, without an extension.
pub(super) fn library_of(application: &str, content: &[u8]) -> String {
    format!("lib{application}-{:016x}", hash(content))
}

/// Returns a name for the content. There is no reason to forge a collision with one's own library.
pub(super) fn hash(content: &[u8]) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(content);
    hasher.finish()
}

#[cfg(test)]
pub(crate) mod tests;
