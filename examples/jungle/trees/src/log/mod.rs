//! Where a group of trees is kept: a log, to which changes are only added, and a snapshot, after
//! which the log begins.
//!
//! A thread writes everything that has come together while it wrote, and synchronises the file once
//! for all who wait (group commit). A version becomes visible when it is on the disk.

pub(crate) mod files;
pub(crate) mod group;
pub(crate) mod pending;
pub mod record;
pub mod repair;
pub(crate) mod replay;
pub(crate) mod snapshot;

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use jungle_disk::Log as LogFile;
pub use pending::Pending;

use crate::error::{Error, Result};
use pending::Batch;

/// What happens with a record: whether it is on the disk.
type Outcome = Box<dyn FnOnce(bool) + Send>;

/// The log of a group of trees.
pub struct Log {
    shared: Arc<Shared>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    filled: Condvar,
    /// How many bytes the file has.
    length: AtomicU64,
    /// How many bytes the file before it had in the end.
    length_before: AtomicU64,
}

#[derive(Default)]
struct State {
    /// Records that nobody has written yet, and who is told of them.
    bytes: Vec<u8>,
    outcomes: Vec<Outcome>,
    batch: Arc<Batch>,
    /// The file that comes next.
    next: Option<(LogFile, Arc<Batch>)>,
    refused: Option<Error>,
    is_closed: bool,
    /// How many trees the log knows.
    trees: u64,
}

impl Log {
    /// A log that goes on at the end of a file, which knows so many trees.
    pub(crate) fn new(file: LogFile, trees: u64) -> io::Result<Arc<Self>> {
        let shared = Arc::new(Shared::default());
        shared.lock().trees = trees;
        shared.length.store(file.length(), Ordering::Relaxed);
        let writing = shared.clone();
        let writer = thread::Builder::new().name("jungle log".to_owned());
        let writer = writer.spawn(move || writing.write_all(file))?;
        Ok(Arc::new(Log {
            shared,
            writer: Mutex::new(Some(writer)),
        }))
    }

    /// The number of a new tree.
    pub(crate) fn tree(&self) -> u64 {
        let mut state = self.shared.lock();
        state.trees += 1;
        state.trees
    }

    /// How many bytes the file has.
    pub(crate) fn length(&self) -> u64 {
        self.shared.length.load(Ordering::Relaxed)
    }

    /// Adds a record, and what happens when it is on the disk, or is not.
    ///
    /// # Errors
    /// `TooLarge`, `Closed`, or `Storage` while changes that could not be written are taken back.
    /// The outcome is not called.
    pub(crate) fn add(&self, record: &[u8], outcome: Outcome) -> Result<Pending> {
        let limit = record::MAX_RECORD;
        if record.len() > limit {
            return Err(Error::TooLarge("change".to_owned(), limit as u64));
        }
        let mut state = self.shared.lock();
        if let Some(error) = &state.refused {
            return Err(error.clone());
        }
        state.bytes.extend_from_slice(record);
        state.outcomes.push(outcome);
        let pending = Pending::of(state.batch.clone());
        // The writer looks for more before it waits.
        let is_first = state.outcomes.len() == 1;
        drop(state);
        if is_first {
            self.shared.filled.notify_one();
        }
        Ok(pending)
    }

    /// All records so far.
    pub(crate) fn pending(&self) -> Pending {
        self.add(&[], Box::new(|_| ()))
            .unwrap_or_else(Pending::failed)
    }

    /// From then on records go into another file. Returns how many bytes the file before it has.
    ///
    /// # Errors
    /// `Closed`, or `Storage` while changes that could not be written are taken back.
    pub(crate) fn go_on_in(&self, file: LogFile) -> Result<u64> {
        let batch = Arc::new(Batch::default());
        let mut state = self.shared.lock();
        if let Some(error) = &state.refused {
            return Err(error.clone());
        }
        state.next = Some((file, batch.clone()));
        drop(state);
        self.shared.filled.notify_one();
        Pending::of(batch).wait()?;
        Ok(self.shared.length_before.load(Ordering::Relaxed))
    }

    /// Writes what is there, and takes no more.
    pub(crate) fn close(&self) {
        let mut state = self.shared.lock();
        state.is_closed = true;
        state.refused = Some(Error::Closed);
        drop(state);
        self.shared.filled.notify_one();
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(writer) = writer.take()
            && writer.thread().id() != thread::current().id()
        {
            let _ = writer.join();
        }
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        self.close();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the thread does.
    fn write_all(&self, mut file: LogFile) {
        loop {
            let mut state = self.lock();
            while state.outcomes.is_empty() && state.next.is_none() {
                if state.is_closed {
                    return;
                }
                let waited = self.filled.wait(state);
                state = waited.unwrap_or_else(PoisonError::into_inner);
            }
            if let Some((next, batch)) = state.next.take() {
                self.length_before.store(file.length(), Ordering::Relaxed);
                file = next;
                self.length.store(file.length(), Ordering::Relaxed);
                batch.end(Ok(()));
                continue;
            }
            let bytes = std::mem::take(&mut state.bytes);
            let outcomes = std::mem::take(&mut state.outcomes);
            let batch = std::mem::take(&mut state.batch);
            drop(state);
            match file.append(&bytes) {
                Ok(()) => {
                    self.length.store(file.length(), Ordering::Relaxed);
                    outcomes.into_iter().for_each(|outcome| outcome(true));
                    batch.end(Ok(()));
                }
                Err(error) => {
                    let error = Error::Storage(error.to_string());
                    self.take_back(&error, file.is_usable(), outcomes, &batch);
                }
            }
        }
    }

    /// The changes, and those that build on them, have not happened.
    /// If the file is not usable, what it has at its end is not known, so nothing may follow that.
    fn take_back(&self, error: &Error, is_usable: bool, outcomes: Vec<Outcome>, batch: &Batch) {
        let mut state = self.lock();
        if state.refused.is_none() {
            state.refused = Some(error.clone());
        }
        state.bytes.clear();
        let more = std::mem::take(&mut state.outcomes);
        let next = std::mem::take(&mut state.batch);
        drop(state);
        let all = outcomes.into_iter().chain(more);
        all.for_each(|outcome| outcome(false));
        let mut state = self.lock();
        state.refused = match (state.is_closed, is_usable) {
            (true, _) => Some(Error::Closed),
            (false, false) => Some(error.clone()),
            (false, true) => None,
        };
        drop(state);
        batch.end(Err(error.clone()));
        next.end(Err(error.clone()));
    }
}
