//! What is to be written to the append-only file, in memory: commands append to it while their
//! stripes are locked, one process writes it.

use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use super::locked::write_command;

/// When what was written is on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sync {
    /// Before its client has a reply.
    Always,
    /// A second later.
    EverySecond,
    /// When the operating system wants to.
    Never,
}

impl Sync {
    /// As in `appendfsync`.
    #[must_use]
    pub fn read(word: &str) -> Option<Self> {
        Some(match word {
            "always" => Sync::Always,
            "everysec" => Sync::EverySecond,
            "no" => Sync::Never,
            _ => return None,
        })
    }

    /// As in `appendfsync`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Sync::Always => "always",
            Sync::EverySecond => "everysec",
            Sync::Never => "no",
        }
    }
}

/// The most bytes that wait while commands go on.
const MOST: u64 = 64 << 20;

/// What is to be written.
#[derive(Debug, Default)]
pub struct AppendLog {
    is_on: AtomicBool,
    /// Whether the last write has failed.
    has_failed: AtomicBool,
    sync: AtomicU8,
    /// All that was appended ends here.
    end: AtomicU64,
    /// All before this is as safe as it is going to be before clients have their replies.
    done: AtomicU64,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    batch: Batch,
    /// The databases that the two files have selected.
    selected: [Option<usize>; 2],
    writer: Option<Waker>,
    waiting: Vec<(u64, Waker)>,
    wants: Wants,
}

/// What the writer is asked for beside writing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wants {
    /// What was written is put on the disk.
    pub sync: bool,
    /// The new files take the place of the old ones.
    pub switch: bool,
}

/// What is written at once.
#[derive(Debug, Default, Clone)]
pub struct Batch {
    /// For the file of now.
    pub bytes: Vec<u8>,
    /// For the file beside a copy that is being made.
    pub beside_copy: Vec<u8>,
    /// Where it ends.
    pub end: u64,
    /// What else is asked for.
    pub wants: Wants,
}

impl AppendLog {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether commands are recorded.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.is_on.load(Ordering::Relaxed)
    }

    /// Where it ends.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.end.load(Ordering::Acquire)
    }

    /// From now on they are, or are not.
    pub fn turn(&self, on: bool) {
        self.is_on.store(on, Ordering::Relaxed);
        self.wake_writer();
    }

    /// Whether writing fails.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// See `appendfsync`.
    #[must_use]
    pub fn sync(&self) -> Sync {
        match self.sync.load(Ordering::Relaxed) {
            0 => Sync::EverySecond,
            1 => Sync::Always,
            _ => Sync::Never,
        }
    }

    /// See `appendfsync`.
    pub fn set_sync(&self, sync: Sync) {
        let number = match sync {
            Sync::EverySecond => 0,
            Sync::Always => 1,
            Sync::Never => 2,
        };
        self.sync.store(number, Ordering::Relaxed);
    }

    /// Appends records, which are one transaction unless there is only one. They begin in the first
    /// database and end in the last one.
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

    /// Where it ends: what a client that has just read or written has to wait for. `None` if it
    /// does not have to wait.
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
            // The writer says that it is done while it has the lock.
            if self.done.load(Ordering::Acquire) >= end {
                return Poll::Ready(());
            }
            inner.waiting.push((end, context.waker().clone()));
            Poll::Pending
        })
        .await;
    }

    /// Asks the writer for something.
    pub fn want(&self, wants: Wants) {
        let mut inner = self.inner();
        inner.wants.switch |= wants.switch;
        drop(inner);
        self.wake_writer();
    }

    /// The file beside a copy begins.
    pub fn begin_copy(&self) {
        let mut inner = self.inner();
        inner.batch.beside_copy.clear();
        inner.selected[1] = None;
    }

    /// The file beside the copy is the file of now.
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

    /// What is to be written next.
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

    /// A batch is done: who has waited for it goes on.
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

    /// A batch could not be written.
    pub fn failed(&self) {
        self.has_failed.store(true, Ordering::Relaxed);
    }
}

/// Writes records, which are one transaction unless there is only one. They begin in the first
/// database and end in the last one.
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
