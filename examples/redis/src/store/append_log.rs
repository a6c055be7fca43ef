//! The part of the append-only file that is still in memory. Commands append to it while their
//! stripes are locked, and one process writes it.

use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use super::locked::write_command;

/// When written data is synchronised to the disk (`appendfsync`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sync {
    /// Before the client gets its reply.
    Always,
    /// Within a second.
    EverySecond,
    /// When the operating system decides.
    Never,
}

impl Sync {
    /// Parses a word of `appendfsync`.
    #[must_use]
    pub fn read(word: &str) -> Option<Self> {
        Some(match word {
            "always" => Sync::Always,
            "everysec" => Sync::EverySecond,
            "no" => Sync::Never,
            _ => return None,
        })
    }

    /// Returns the word of `appendfsync`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Sync::Always => "always",
            Sync::EverySecond => "everysec",
            Sync::Never => "no",
        }
    }
}

/// Maximum number of bytes that wait while commands continue.
const MOST: u64 = 64 << 20;

/// The append-only log in memory.
#[derive(Debug, Default)]
pub struct AppendLog {
    is_on: AtomicBool,
    /// Whether the last write has failed.
    has_failed: AtomicBool,
    sync: AtomicU8,
    /// End of everything that was appended.
    end: AtomicU64,
    /// Everything before this is as safe as it has to be before clients get their replies.
    done: AtomicU64,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    batch: Batch,
    /// The databases that were selected last in the two files.
    selected: [Option<usize>; 2],
    writer: Option<Waker>,
    waiting: Vec<(u64, Waker)>,
    wants: Wants,
}

/// Requests to the writer, besides writing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wants {
    /// Synchronise what was written.
    pub sync: bool,
    /// Replace the files by the new ones.
    pub switch: bool,
}

/// A batch for one write.
#[derive(Debug, Default, Clone)]
pub struct Batch {
    /// Bytes for the current file.
    pub bytes: Vec<u8>,
    /// Bytes for the file that complements a copy in progress.
    pub beside_copy: Vec<u8>,
    /// End of the batch in the log.
    pub end: u64,
    /// Further requests.
    pub wants: Wants,
}

impl AppendLog {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether commands are recorded.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.is_on.load(Ordering::Relaxed)
    }

    /// Returns the end of the log.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.end.load(Ordering::Acquire)
    }

    /// Turns recording on or off.
    pub fn turn(&self, on: bool) {
        self.is_on.store(on, Ordering::Relaxed);
        self.wake_writer();
    }

    /// Returns whether the last write has failed.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// Returns the mode of `appendfsync`.
    #[must_use]
    pub fn sync(&self) -> Sync {
        match self.sync.load(Ordering::Relaxed) {
            0 => Sync::EverySecond,
            1 => Sync::Always,
            _ => Sync::Never,
        }
    }

    /// Sets the mode of `appendfsync`.
    pub fn set_sync(&self, sync: Sync) {
        let number = match sync {
            Sync::EverySecond => 0,
            Sync::Always => 1,
            Sync::Never => 2,
        };
        self.sync.store(number, Ordering::Relaxed);
    }

    /// Appends records. If there are several, they form a transaction. They begin in the first of
    /// the databases and end in the second.
    pub(super) fn append(
        &self,
        records: &[u8],
        is_one: bool,
        databases: (usize, usize),
        is_in_copy: bool,
    ) {
        let mut inner = self.inner();
        let Inner {
            batch, selected, ..
        } = &mut *inner;
        let before = batch.bytes.len();
        let files = [
            Some(&mut batch.bytes),
            is_in_copy.then_some(&mut batch.beside_copy),
        ];
        for (file, selected) in files.into_iter().zip(selected) {
            let Some(file) = file else { continue };
            write_records(file, selected, records, is_one, databases);
        }
        let more = u64::try_from(batch.bytes.len() - before).unwrap_or_default();
        batch.end += more;
        self.end.store(batch.end, Ordering::Release);
        let writer = inner.writer.take();
        drop(inner);
        writer.into_iter().for_each(Waker::wake);
    }

    /// Returns the position that has to be written before a client that has just read or written
    /// gets its reply, or `None` if the reply need not wait.
    #[must_use]
    pub fn to_wait_for(&self) -> Option<u64> {
        if !self.is_on() {
            return None;
        }
        let (end, done) = (
            self.end.load(Ordering::Acquire),
            self.done.load(Ordering::Acquire),
        );
        let waits = match self.sync() {
            Sync::Always => end > done,
            Sync::EverySecond | Sync::Never => end.saturating_sub(done) > MOST,
        };
        waits.then_some(end)
    }

    /// Waits until everything before `end` is done.
    pub async fn done(&self, end: u64) {
        poll_fn(|context| {
            if self.done.load(Ordering::Acquire) >= end || !self.is_on() {
                return Poll::Ready(());
            }
            let mut inner = self.inner();
            // The writer updates `done` while it holds this lock, so no wake-up is missed.
            if self.done.load(Ordering::Acquire) >= end {
                return Poll::Ready(());
            }
            inner.waiting.push((end, context.waker().clone()));
            Poll::Pending
        })
        .await;
    }

    /// Makes a request to the writer.
    pub fn want(&self, wants: Wants) {
        let mut inner = self.inner();
        inner.wants.switch |= wants.switch;
        drop(inner);
        self.wake_writer();
    }

    /// Starts the file that complements a copy.
    pub fn begin_copy(&self) {
        let mut inner = self.inner();
        inner.batch.beside_copy.clear();
        inner.selected[1] = None;
    }

    /// Makes the file that complements the copy the current one.
    pub fn copied(&self) {
        let mut inner = self.inner();
        inner.selected.swap(0, 1);
        let beside = std::mem::take(&mut inner.batch.beside_copy);
        inner.batch.bytes = beside;
    }

    fn wake_writer(&self) {
        let writer = self.inner().writer.take();
        writer.into_iter().for_each(Waker::wake);
    }

    /// Waits for the next batch.
    pub async fn next(&self) -> Batch {
        poll_fn(|context| {
            let mut inner = self.inner();
            let has_nothing = inner.batch.bytes.is_empty() && inner.batch.beside_copy.is_empty();
            if has_nothing && inner.wants == Wants::default() {
                inner.writer = Some(context.waker().clone());
                return Poll::Pending;
            }
            let wants = std::mem::take(&mut inner.wants);
            let Batch {
                bytes,
                beside_copy,
                end,
                ..
            } = &mut inner.batch;
            Poll::Ready(Batch {
                bytes: std::mem::take(bytes),
                beside_copy: std::mem::take(beside_copy),
                end: *end,
                wants,
            })
        })
        .await
    }

    /// Records that everything before `end` is done, and wakes those who wait for it.
    pub fn written(&self, end: u64) {
        self.has_failed.store(false, Ordering::Relaxed);
        let mut inner = self.inner();
        self.done.store(end, Ordering::Release);
        let waiting = std::mem::take(&mut inner.waiting);
        let (ready, later) = waiting.into_iter().partition(|(of, _)| *of <= end);
        inner.waiting = later;
        drop(inner);
        let ready: Vec<(u64, Waker)> = ready;
        ready.into_iter().for_each(|(_, waker)| waker.wake());
    }

    /// Records that a batch could not be written.
    pub fn failed(&self) {
        self.has_failed.store(true, Ordering::Relaxed);
    }
}

/// Encodes records. If there are several, they form a transaction. They begin in the first of the
/// databases and end in the second.
pub(super) fn write_records(
    to: &mut Vec<u8>,
    selected: &mut Option<usize>,
    records: &[u8],
    is_one: bool,
    (first, last): (usize, usize),
) {
    if *selected != Some(first) {
        write_command(to, &[b"SELECT", first.to_string().as_bytes()]);
    }
    if !is_one {
        write_command(to, &[b"MULTI"]);
    }
    to.extend_from_slice(records);
    if !is_one {
        write_command(to, &[b"EXEC"]);
    }
    *selected = Some(last);
}
