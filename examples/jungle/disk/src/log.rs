//! One append-only log file: creating it, reading its batches back, and appending durably.

use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::scan::{self, Batches, Ending};
use crate::{Error, Result, folder};

/// Describes a file that was copied from another folder.
pub const OF_ANOTHER_FOLDER: &str = "the file belongs to another folder";

/// A log that is open for appending.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    salt: u64,
    /// Length of the part that consists of whole batches, in bytes, with the header.
    length: u64,
    /// Whether a failed write may have left bytes after those batches.
    is_torn: bool,
}

/// Content of a log file.
#[derive(Debug)]
pub struct Contents {
    bytes: Vec<u8>,
    /// The offset of the first batch.
    pub begin: usize,
    /// The batches that can be read, and how the file ends.
    pub batches: Batches,
}

impl Contents {
    /// Returns the payloads of all whole batches, in file order.
    pub fn payloads(&self) -> impl Iterator<Item = &[u8]> {
        self.payloads_before(usize::MAX)
    }

    /// Returns the payloads of the batches that end at or before an offset in the file.
    pub fn payloads_before(&self, offset: usize) -> impl Iterator<Item = &[u8]> {
        let ranges = self.batches.payloads.iter();
        let ranges = ranges.take_while(move |range| range.end <= offset);
        ranges.map(|range| &self.bytes[range.clone()])
    }
}

impl Log {
    /// Creates an empty log. The caller makes its name durable ([`crate::sync_folder`]). `salt` is
    /// the number that the manifest has for it; without one, it is random.
    ///
    /// # Errors
    /// [`Error::Io`], also if the file exists.
    pub fn create(path: &Path, salt: Option<u64>) -> Result<Self> {
        Self::create_as(path, &name(path), salt)
    }

    /// Creates an empty log that gets its name later, by [`Log::rename`].
    ///
    /// # Errors
    /// Those of [`Log::create`].
    pub fn create_as(path: &Path, name: &str, salt: Option<u64>) -> Result<Self> {
        let salt = salt.unwrap_or_else(|| RandomState::new().hash_one(path));
        let header = scan::header(name, salt);
        let options = || {
            File::options()
                .read(true)
                .append(true)
                .create_new(true)
                .open(path)
        };
        let created = options().and_then(|mut file| {
            file.write_all(&header)?;
            file.sync_all()?;
            Ok(file)
        });
        let file = created.map_err(Error::io(path))?;
        Ok(Log {
            path: path.to_owned(),
            file,
            salt,
            length: header.len() as u64,
            is_torn: false,
        })
    }

    /// Opens a log, and reads it. A torn tail is cut off, and kept in a file beside it.
    ///
    /// # Errors
    /// [`Error::Io`]. [`Error::Corrupt`] if the file is missing, is not the log of this name, is
    /// damaged, has another salt than the manifest has for it, or has fewer than `at_least` bytes
    /// of whole batches.
    pub fn open(path: &Path, salt: Option<u64>, at_least: u64) -> Result<(Self, Contents)> {
        let (own, mut contents) = Self::read(path)?;
        if salt.is_some_and(|salt| salt != own) {
            return Err(Error::corrupt(path, OF_ANOTHER_FOLDER));
        }
        let whole = match contents.batches.ending {
            Ending::Whole => contents.bytes.len(),
            Ending::Torn(at) => at,
            Ending::Damaged(at) => {
                let what = format!(
                    "the batch at byte {at} is damaged, and batches that follow it are not"
                );
                return Err(Error::corrupt(path, what));
            }
        };
        if (whole as u64) < at_least {
            let what = format!("it ends at byte {whole}, but had {at_least} bytes before");
            return Err(Error::corrupt(path, what));
        }
        let file = File::options().read(true).append(true).open(path);
        let mut log = Log {
            path: path.to_owned(),
            file: file.map_err(Error::io(path))?,
            salt: own,
            length: whole as u64,
            is_torn: false,
        };
        if whole < contents.bytes.len() {
            log.cut(&contents.bytes[whole..])?;
            contents.bytes.truncate(whole);
            contents.batches.ending = Ending::Whole;
        }
        Ok((log, contents))
    }

    /// Reads a log without changing anything. Returns its salt, and what it contains.
    ///
    /// # Errors
    /// Those of [`Log::open`], except that damage is not an error: [`Contents::batches`] describes
    /// it.
    pub fn read(path: &Path) -> Result<(u64, Contents)> {
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|mut file| file.read_to_end(&mut bytes));
        read.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Error::corrupt(path, "the file is missing"),
            _ => Error::Io(path.to_owned(), error),
        })?;
        if bytes.is_empty() {
            return Err(Error::corrupt(path, "the file is empty"));
        }
        let Some((salt, begin)) = scan::read_header(&bytes, &name(path)) else {
            return Err(Error::corrupt(
                path,
                "the file does not begin as a log of this name",
            ));
        };
        let batches = scan::batches(&bytes, salt, begin);
        let contents = Contents {
            bytes,
            begin,
            batches,
        };
        Ok((salt, contents))
    }

    fn cut(&mut self, torn: &[u8]) -> Result<()> {
        let at = self.length as usize;
        let aside = folder::keep_aside(&self.path, at, torn)?;
        let cut = self.file.set_len(self.length);
        cut.and_then(|()| self.file.sync_all())
            .map_err(Error::io(&self.path))?;
        log::warn!(
            "{}: cut off {} bytes of an incomplete batch at byte {at}, and kept them in {}",
            self.path.display(),
            torn.len(),
            aside.display()
        );
        Ok(())
    }

    /// Appends a batch, and returns after it was synchronised to the disk.
    ///
    /// # Errors
    /// An error of the disk. The log then either contains nothing of the batch, or refuses further
    /// batches until [`Log::is_usable`] returns `true`.
    pub fn append(&mut self, payload: &[u8]) -> io::Result<()> {
        if payload.is_empty() {
            return Ok(());
        }
        self.remove_torn()?;
        let head = scan::head(self.salt, self.length, payload);
        let written = self
            .file
            .write_all(&head)
            .and_then(|()| self.file.write_all(payload))
            .and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            self.is_torn = true;
            let _ = self.remove_torn();
            return Err(error);
        }
        self.length += (head.len() + payload.len()) as u64;
        Ok(())
    }

    fn remove_torn(&mut self) -> io::Result<()> {
        if self.is_torn {
            self.file.set_len(self.length)?;
            self.file.sync_all()?;
            self.is_torn = false;
        }
        Ok(())
    }

    /// Renames the file, replacing any file that has the new name. The caller makes the rename
    /// durable.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn rename(&mut self, path: &Path) -> Result<()> {
        fs::rename(&self.path, path).map_err(Error::io(path))?;
        path.clone_into(&mut self.path);
        Ok(())
    }

    /// Returns whether the log accepts batches: after a failed write, whether its remains could be
    /// removed.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        !self.is_torn
    }

    /// Returns how many bytes of the file are whole batches, with its header.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Checks that a file contains no batch, so that it can be removed: a crash left this log
    /// before the manifest listed it.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if the file has batches although the manifest does not list it.
    pub fn expect_unused(path: &Path) -> Result<()> {
        let is_empty = match Self::read(path) {
            Ok((_, contents)) => contents.batches.payloads.is_empty(),
            // The crash came before the header was complete.
            Err(Error::Corrupt(..)) => fs::metadata(path).is_ok_and(|it| it.len() < 64),
            Err(error) => return Err(error),
        };
        match is_empty {
            true => Ok(()),
            false => {
                let what = "the manifest does not list this file, which contains changes";
                Err(Error::corrupt(path, what))
            }
        }
    }
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
