//! The files of a database: append-only logs, and the manifest of a folder.
//!
//! A log consists of *batches*. The writer appends one batch, synchronises the file, and only then
//! starts the next one. So if a batch cannot be read, there are exactly two cases:
//!
//! - No batch follows: the process or the machine stopped while this one was written. Nobody was
//!   told that it is on the disk, so it is cut off.
//! - A batch follows: this one was on the disk once, and somebody may rely on it. The file is
//!   damaged, and opening it is an error.
//!
//! The [`Manifest`] lists the files that must exist, and how many bytes of each were on the disk
//! when it was written. Without it, a file that somebody has removed would look like one that
//! never existed.
#![forbid(unsafe_code)]

mod folder;
mod log;
mod manifest;
mod scan;

pub use folder::{Lock, keep_all, sync_folder};
pub use log::{Contents, Log};
pub use manifest::{Manifest, names};
pub use scan::{Batches, Ending};

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What is wrong with a file, for whoever decides about a repair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The name of the file.
    pub file: String,
    /// What is wrong with it, and what a repair does about that.
    pub what: String,
}

/// Why files cannot be used. Nothing was changed.
#[derive(Debug)]
pub enum Error {
    /// The operating system refused an operation on this file or folder.
    Io(PathBuf, io::Error),
    /// The file is not what was written, or is missing. The text says what is wrong with it.
    Corrupt(PathBuf, String),
}

/// The result of an operation on files.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Turns an [`io::Error`] about this path into an [`Error`].
    pub fn io(path: &Path) -> impl Fn(io::Error) -> Error {
        move |error| Error::Io(path.to_owned(), error)
    }

    /// Describes what is wrong with a file.
    #[must_use]
    pub fn corrupt(path: &Path, what: impl Into<String>) -> Error {
        Error::Corrupt(path.to_owned(), what.into())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Error::Corrupt(path, what) => write!(f, "{}: {what}", path.display()),
        }
    }
}

impl std::error::Error for Error {}
