//! Storage for a group of trees: an append-only log, and a snapshot of the state before the log.
//!
//! A thread writes all changes that arrived while it was writing the previous ones, and
//! synchronises the file once for all waiting writers (group commit). A version becomes visible
//! when it is on the disk. As long as no writer waits, the thread lets changes arrive, for at most
//! a millisecond.

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
use std::time::{Duration, Instant};

use jungle_disk::Log as LogFile;
pub use pending::Pending;

use crate::error::{Error, Result};
use crate::publish::Replaced;
use pending::Batch;

/// Callback of a record: whether the record is on the disk.
type Outcome = Box<dyn FnOnce(bool) -> Replaced + Send>;

/// How long records wait for others if no writer waits for them.
const LINGER: Duration = Duration::from_millis(1);
/// Records with more bytes do not wait.
const LARGE: usize = 1 << 20;

/// The log of a group of trees.
pub struct Log {
    shared: Arc<Shared>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
pub(crate) struct Shared {
    state: Mutex<State>,
    filled: Condvar,
    /// Length of the file in bytes.
    length: AtomicU64,
    /// Final length of the previous file in bytes.
    length_before: AtomicU64,
}

#[derive(Default)]
struct State {
    /// Records that are not written yet, and their callbacks.
    bytes: Vec<u8>,
    outcomes: Vec<Outcome>,
    batch: Arc<Batch>,
    /// The file to write to next.
    next: Option<(LogFile, Arc<Batch>)>,
    refused: Option<Error>,
    is_closed: bool,
    /// Whether the thread lets records arrive.
    lingers: bool,
    /// Number of trees in the log.
    trees: u64,
    /// Trees that were deleted in the file.
    deleted: Vec<u64>,
}

impl Log {
    /// Opens a log that appends to a file, which already has this number of trees.
    pub(crate) fn new(file: LogFile, trees: u64) -> io::Result<Arc<Self>> {
        let shared = Arc::new(Shared::default());
        let batch = Batch::new(Arc::downgrade(&shared));
        shared.lock().batch = batch;
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

    /// Returns a number for a new tree.
    pub(crate) fn tree(&self) -> u64 {
        let mut state = self.shared.lock();
        state.trees += 1;
        state.trees
    }

    /// Notes that the file deletes a tree. Only an outcome calls this.
    pub(crate) fn add_deleted(&self, tree: u64) {
        self.shared.lock().deleted.push(tree);
    }

    /// Returns the trees that were deleted in the file.
    pub(crate) fn deleted(&self) -> Vec<u64> {
        self.shared.lock().deleted.clone()
    }

    /// Returns the length of the file in bytes.
    pub(crate) fn length(&self) -> u64 {
        self.shared.length.load(Ordering::Relaxed)
    }

    /// Adds a record. `outcome` is called when the record is on the disk, or when writing it has
    /// failed.
    ///
    /// # Errors
    /// `TooLarge`, `Closed`, or `Storage` while changes that could not be written are rolled back.
    /// The outcome is not called in these cases.
    pub(crate) fn add(&self, record: &[u8], outcome: Outcome) -> Result<Pending> {
        within_limit(record)?;
        let mut state = self.shared.lock();
        if let Some(error) = &state.refused {
            return Err(error.clone());
        }
        let is_large = state.extend(record);
        state.outcomes.push(outcome);
        let pending = Pending::of(state.batch.clone());
        // The writer checks for further records before it waits, so only the first one has to wake
        // it.
        let is_first = state.outcomes.len() == 1;
        drop(state);
        if is_first || is_large {
            self.shared.filled.notify_one();
        }
        Ok(pending)
    }

    /// Adds a record to a batch, if it is the one that is being collected, and calls `added` before
    /// the batch can be written. Otherwise, it returns `None`, and does nothing.
    ///
    /// # Errors
    /// `TooLarge`.
    pub(crate) fn extend(
        &self,
        record: &[u8],
        batch: &Arc<Batch>,
        added: impl FnOnce(),
    ) -> Result<Option<Pending>> {
        within_limit(record)?;
        let mut state = self.shared.lock();
        if state.refused.is_some() || !Arc::ptr_eq(&state.batch, batch) {
            return Ok(None);
        }
        let is_large = state.extend(record);
        added();
        drop(state);
        if is_large {
            self.shared.filled.notify_one();
        }
        Ok(Some(Pending::of(batch.clone())))
    }

    /// Returns a future that completes when all records up to now are on the disk.
    pub(crate) fn pending(&self) -> Pending {
        self.add(&[], Box::new(|_| Replaced::default()))
            .unwrap_or_else(Pending::failed)
    }

    /// Switches to another file for further records. Returns the length of the previous file.
    ///
    /// # Errors
    /// `Closed`, or `Storage` while changes that could not be written are rolled back.
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

    /// Writes the pending records, and refuses further ones.
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

/// Checks the length of a record.
///
/// # Errors
/// `TooLarge`.
fn within_limit(record: &[u8]) -> Result<()> {
    let limit = record::MAX_RECORD;
    match record.len() > limit {
        true => Err(Error::TooLarge("change".to_owned(), limit as u64)),
        false => Ok(()),
    }
}

impl State {
    /// Adds the bytes of a record. Returns whether the records become large with it.
    fn extend(&mut self, record: &[u8]) -> bool {
        let was_large = self.bytes.len() >= LARGE;
        self.bytes.extend_from_slice(record);
        !was_large && self.bytes.len() >= LARGE
    }

    /// Returns whether the records may wait for others.
    fn may_linger(&self) -> bool {
        !self.is_closed
            && self.next.is_none()
            && self.bytes.len() < LARGE
            && !self.batch.is_wanted()
    }
}

impl Shared {
    /// Makes the thread write what it has collected.
    fn hurry(&self) {
        let lingers = self.lock().lingers;
        if lingers {
            self.filled.notify_one();
        }
    }

    /// Lets records arrive for a while, unless a writer waits for those that are there.
    fn linger<'s>(&'s self, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        let end = Instant::now() + LINGER;
        state.lingers = true;
        while state.may_linger() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = self.filled.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.lingers = false;
        state
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Main function of the writer thread.
    fn write_all(self: &Arc<Self>, mut file: LogFile) {
        loop {
            let mut state = self.lock();
            while state.outcomes.is_empty() && state.next.is_none() {
                if state.is_closed {
                    return;
                }
                let waited = self.filled.wait(state);
                state = waited.unwrap_or_else(PoisonError::into_inner);
            }
            let mut state = self.linger(state);
            if let Some((next, batch)) = state.next.take() {
                state.deleted.clear();
                self.length_before.store(file.length(), Ordering::Relaxed);
                file = next;
                self.length.store(file.length(), Ordering::Relaxed);
                batch.end(Ok(()));
                continue;
            }
            let bytes = std::mem::take(&mut state.bytes);
            let outcomes = std::mem::take(&mut state.outcomes);
            let next = Batch::new(Arc::downgrade(self));
            let batch = std::mem::replace(&mut state.batch, next);
            drop(state);
            match file.append(&bytes) {
                Ok(()) => {
                    self.length.store(file.length(), Ordering::Relaxed);
                    let outcomes = outcomes.into_iter();
                    let replaced: Vec<Replaced> = outcomes.map(|it| it(true)).collect();
                    batch.end(Ok(()));
                    drop(replaced);
                }
                Err(error) => {
                    let error = Error::Storage(error.to_string());
                    self.take_back(&error, file.is_usable(), outcomes, &batch);
                }
            }
        }
    }

    /// Rolls back the changes that could not be written, and those that build on them. If the file
    /// is not usable, the content of its end is unknown, so nothing may be appended to it.
    fn take_back(
        self: &Arc<Self>,
        error: &Error,
        is_usable: bool,
        outcomes: Vec<Outcome>,
        batch: &Batch,
    ) {
        let mut state = self.lock();
        if state.refused.is_none() {
            state.refused = Some(error.clone());
        }
        state.bytes.clear();
        let more = std::mem::take(&mut state.outcomes);
        let next = Batch::new(Arc::downgrade(self));
        let next = std::mem::replace(&mut state.batch, next);
        drop(state);
        let all = outcomes.into_iter().chain(more);
        all.for_each(|outcome| drop(outcome(false)));
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
