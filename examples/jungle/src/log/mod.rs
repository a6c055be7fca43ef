//! The log of a group of trees: one file, to which changes are only added.
//!
//! Who waits for a change first writes everything that has come together by then, and synchronises the file once for all who
//! wait (group commit). A version becomes visible when it is on the disk.

pub mod record;

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::error::{Error, Result};

/// What happens once a record is on the disk.
pub type Publish = Box<dyn FnOnce() + Send>;

/// The log of a group of trees.
pub struct Log {
    state: Mutex<State>,
    written: Condvar,
    file: Mutex<File>,
}

#[derive(Default)]
struct State {
    /// Records that nobody has written yet.
    bytes: Vec<u8>,
    publish: Vec<Publish>,
    /// How many records there were, and how many of them are on the disk.
    sequence: u64,
    durable: u64,
    is_written: bool,
    failed: Option<Error>,
    /// How many trees the log knows.
    trees: u64,
}

/// A record that may not be on the disk yet.
#[must_use = "a change is acknowledged when this has been waited for"]
pub struct Pending {
    log: Option<Arc<Log>>,
    sequence: u64,
}

impl Log {
    /// A log that goes on at the end of a file, which knows so many trees.
    #[must_use]
    pub fn new(file: File, trees: u64) -> Arc<Self> {
        Arc::new(Log {
            state: Mutex::new(State {
                trees,
                ..State::default()
            }),
            written: Condvar::new(),
            file: Mutex::new(file),
        })
    }

    /// The number of a new tree.
    pub fn tree(&self) -> u64 {
        let mut state = self.lock();
        state.trees += 1;
        state.trees
    }

    /// Adds a record, and what happens when it is on the disk.
    ///
    /// # Errors
    /// `Storage`, if an earlier record could not be written.
    pub fn add(self: &Arc<Self>, record: &[u8], publish: Publish) -> Result<Pending> {
        if record.len() > record::MAX_RECORD {
            return Err(Error::TooLarge(
                "change".to_owned(),
                record::MAX_RECORD as u64,
            ));
        }
        let mut state = self.lock();
        if let Some(error) = &state.failed {
            return Err(error.clone());
        }
        state.bytes.extend_from_slice(record);
        state.publish.push(publish);
        state.sequence += 1;
        Ok(Pending {
            log: Some(self.clone()),
            sequence: state.sequence,
        })
    }

    /// All records so far.
    pub(crate) fn pending(self: &Arc<Self>) -> Pending {
        let sequence = self.lock().sequence;
        Pending {
            log: Some(self.clone()),
            sequence,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self, sequence: u64) -> Result<()> {
        let mut state = self.lock();
        loop {
            if state.durable >= sequence {
                return Ok(());
            }
            if let Some(error) = &state.failed {
                return Err(error.clone());
            }
            if state.is_written {
                let waited = self.written.wait(state);
                state = waited.unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            state.is_written = true;
            let bytes = std::mem::take(&mut state.bytes);
            let publish = std::mem::take(&mut state.publish);
            let last = state.sequence;
            drop(state);
            let written = self.write(&bytes);
            if written.is_ok() {
                publish.into_iter().for_each(|publish| publish());
            }
            state = self.lock();
            state.is_written = false;
            match written {
                Ok(()) => state.durable = last,
                Err(error) => state.failed = Some(Error::Storage(error.to_string())),
            }
            self.written.notify_all();
        }
    }

    /// Nothing of the bytes is left in the file if this fails.
    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let before = file.metadata()?.len();
        let written = file.write_all(bytes).and_then(|()| file.sync_data());
        written.inspect_err(|_| drop(file.set_len(before)))
    }
}

impl Pending {
    /// Nothing to wait for: the trees are in memory only.
    pub(crate) fn none() -> Self {
        Pending {
            log: None,
            sequence: 0,
        }
    }

    /// Waits until the change is on the disk. It holds its thread.
    ///
    /// # Errors
    /// `Storage`: the change has not happened.
    pub fn wait(self) -> Result<()> {
        match self.log {
            Some(log) => log.wait(self.sequence),
            None => Ok(()),
        }
    }
}

/// What was found in a log.
#[derive(Debug, Default)]
pub struct Found {
    /// The whole records, in their order.
    pub records: Vec<record::Record>,
    /// How many bytes of an incomplete record were cut off.
    pub cut: u64,
}

/// Opens the log at a path, and cuts off what is behind the last whole record. What was cut is kept in a file beside it.
///
/// # Errors
/// Those of files.
pub fn open(path: &Path) -> io::Result<(File, Found)> {
    let mut options = File::options();
    let mut file = options.read(true).append(true).create(true).open(path)?;
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut file, &mut bytes)?;
    let mut found = Found::default();
    let mut rest = &bytes[..];
    while let Some((record, length)) = record::read(rest) {
        found.records.push(record);
        rest = &rest[length..];
    }
    if !rest.is_empty() {
        let whole = (bytes.len() - rest.len()) as u64;
        found.cut = rest.len() as u64;
        std::fs::write(path.with_extension(format!("cut-{whole}")), rest)?;
        file.set_len(whole)?;
        file.sync_all()?;
        eprintln!(
            "{}: {} bytes of an incomplete record were cut off at byte {whole}",
            path.display(),
            rest.len()
        );
    }
    Ok((file, found))
}
