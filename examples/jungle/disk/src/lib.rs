//! The files of a database: append-only logs, and the manifest of a folder.
//!
//! A log consists of *batches*. The writer appends one batch, synchronises the file, and only then
//! starts the next one. So if a batch cannot be read, there are exactly two cases:
//!
//! - No batch follows: the process or the machine stopped while the writer was writing this one.
//!   The writer had not acknowledged it yet, so it is cut off.
//! - A batch follows: this one was on the disk once, and a client may rely on it. The file is
//!   damaged, and opening it is an error.
//!
//! The [`Manifest`] lists the files that must exist, and how many bytes of each were on the disk
//! when it was written. Without the manifest, a file that an operator removed would look like one
//! that never existed. It also has a number from which the numbers of all files follow, so a file
//! of another folder is noticed.
#![forbid(unsafe_code)]

mod folder;
mod log;
mod manifest;
mod scan;

pub use folder::{Lock, keep_all, sync_folder};
pub use log::{Contents, Log, OF_ANOTHER_FOLDER};
pub use manifest::{Manifest, names};
pub use scan::{Batches, Ending};

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A defect of a file, described for the operator who decides about a repair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The name of the file.
    pub file: String,
    /// The defect, and how a repair deals with it.
    pub what: String,
}

/// Reasons why files cannot be used. The operation has changed nothing.
#[derive(Debug)]
pub enum Error {
    /// The operating system refused an operation on this file or folder.
    Io(PathBuf, io::Error),
    /// The file is missing, or its content is not what the writer wrote. The text describes the
    /// defect.
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
