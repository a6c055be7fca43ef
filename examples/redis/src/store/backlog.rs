//! The backlog: the latest changes, as the commands that replicas receive. Each byte has an offset,
//! which is equal at a master and its replicas.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use super::append_log::write_records;
use super::now;
use crate::output_limits::Limit;

/// Approximate size of a piece in bytes.
const PIECE: usize = 64 << 10;

/// The backlog of a server.
#[derive(Debug)]
pub struct Backlog {
    is_on: AtomicBool,
    end: AtomicU64,
    /// See `repl-backlog-size`: number of bytes that are kept for replicas that reconnect.
    pub size: AtomicI64,
    /// Limit of the bytes that are kept for a slow replica.
    pub limit: Limit,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    /// Pieces, each with whole transactions.
    pieces: VecDeque<Vec<u8>>,
    /// Offset of the first byte.
    begin: u64,
    /// The database that was selected last.
    selected: Option<usize>,
    /// The connected replicas' numbers, and their positions.
    pins: Vec<(u64, u64)>,
    wakers: Vec<Waker>,
    /// Time since which a replica is behind by more than the soft limit, in milliseconds since
    /// 1970.
    behind_since: Option<u64>,
}

impl Default for Backlog {
    fn default() -> Self {
        Backlog {
            is_on: AtomicBool::new(false),
            end: AtomicU64::new(0),
            size: AtomicI64::new(1 << 20),
            limit: Limit::of_replicas(),
            inner: Mutex::default(),
        }
    }
}

impl Inner {
    fn end(&self) -> u64 {
        self.begin + self.pieces.iter().map(|it| count(it.len())).sum::<u64>()
    }

    /// Returns the piece that further bytes are appended to.
    fn last(&mut self) -> &mut Vec<u8> {
        if self.pieces.back().is_none_or(|it| it.len() >= PIECE) {
            self.pieces.push_back(Vec::new());
        }
        let last = self.pieces.len() - 1;
        &mut self.pieces[last]
    }

    /// Drops the pieces that no replica needs, and those that wait for a replica which is over the
    /// limit. That replica then starts again with a copy.
    fn trim(&mut self, end: u64, size: u64, limit: &Limit) {
        let limit = limit.values();
        let pinned = self.pins.iter().map(|(_, at)| *at).min().unwrap_or(end);
        let behind = end.saturating_sub(pinned);
        let is_over = limit.is_over(behind, &mut self.behind_since, now());
        let most = match is_over {
            true => limit.hard.min(limit.soft),
            false => u64::MAX,
        };
        let from = end
            .saturating_sub(size)
            .min(pinned)
            .max(end.saturating_sub(most));
        while let Some(first) = self.pieces.front()
            && self.begin + count(first.len()) <= from
            && self.pieces.len() > 1
        {
            self.begin += count(first.len());
            self.pieces.pop_front();
        }
    }
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

impl Backlog {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether changes are kept. That starts with the first replica.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.is_on.load(Ordering::Relaxed)
    }

    /// Returns the offset after the last change.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.end.load(Ordering::Acquire)
    }

    /// Returns the offset of the first change that is kept.
    #[must_use]
    pub fn begin(&self) -> u64 {
        self.inner().begin
    }

    fn add(&self, write: impl FnOnce(&mut Vec<u8>, &mut Option<usize>)) {
        let size = u64::try_from(self.size.load(Ordering::Relaxed)).unwrap_or(0);
        let mut inner = self.inner();
        let mut selected = inner.selected;
        let last = inner.last();
        let before = last.len();
        write(last, &mut selected);
        let end = self.end() + count(last.len() - before);
        inner.selected = selected;
        inner.trim(end, size, &self.limit);
        self.end.store(end, Ordering::Release);
        let wakers = std::mem::take(&mut inner.wakers);
        drop(inner);
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Appends records. If there are several, they form a transaction.
    pub(super) fn append(&self, records: &[u8], is_one: bool, databases: (usize, usize)) {
        self.add(|to, selected| write_records(to, selected, records, is_one, databases));
    }

    /// Appends commands that this replica has received from its master and applied.
    pub fn received(&self, bytes: &[u8]) {
        self.add(|to, _| to.extend_from_slice(bytes));
    }

    /// Makes the next record select its database, because a reader starts there.
    pub fn reselect(&self) {
        self.inner().selected = None;
    }

    /// Drops everything, and continues at an offset.
    pub fn restart(&self, offset: u64) {
        let mut inner = self.inner();
        inner.pieces.clear();
        inner.begin = offset;
        inner.selected = None;
        self.end.store(offset, Ordering::Release);
        self.is_on.store(true, Ordering::Relaxed);
    }

    /// Starts to keep changes.
    pub fn turn_on(&self) {
        self.is_on.store(true, Ordering::Relaxed);
    }

    /// Returns whole transactions, starting at an offset, with approximately the requested size.
    /// Returns `None` if this part is not kept.
    #[must_use]
    pub fn read(&self, from: u64, about: usize) -> Option<Vec<u8>> {
        let inner = self.inner();
        if from < inner.begin || from > inner.end() || !self.is_on() {
            return None;
        }
        let mut bytes = Vec::new();
        let mut at = inner.begin;
        for piece in &inner.pieces {
            let end = at + count(piece.len());
            if end > from && bytes.len() < about {
                let skipped = usize::try_from(from.saturating_sub(at)).unwrap_or(0);
                bytes.extend_from_slice(&piece[skipped..]);
            }
            at = end;
        }
        Some(bytes)
    }

    /// Sets a reader's position: everything after it is kept.
    pub fn pin(&self, reader: u64, at: u64) {
        let mut inner = self.inner();
        inner.pins.retain(|it| it.0 != reader);
        inner.pins.push((reader, at));
    }

    /// Removes a reader.
    pub fn unpin(&self, reader: u64) {
        self.inner().pins.retain(|it| it.0 != reader);
    }

    /// Waits until there are changes after an offset.
    pub async fn grown(&self, from: u64) {
        poll_fn(|context| {
            let mut inner = self.inner();
            if self.end() > from {
                return Poll::Ready(());
            }
            inner.wakers.push(context.waker().clone());
            Poll::Pending
        })
        .await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output_limits::{OutputLimits, set};

    #[test]
    fn what_is_kept_is_read_from_any_offset_that_a_record_begins_at() {
        let backlog = Backlog::default();
        backlog.restart(100);
        backlog.append(b"*1\r\n$1\r\na\r\n", true, (0, 0));
        let (middle, first) = (backlog.end(), backlog.read(100, 1).expect("it is there"));
        assert!(first.starts_with(b"*2\r\n$6\r\nSELECT") && first.ends_with(b"a\r\n"));
        backlog.append(b"*1\r\n$1\r\nb\r\n", true, (0, 0));
        assert_eq!(backlog.read(middle, 1), Some(b"*1\r\n$1\r\nb\r\n".to_vec()));
        assert_eq!(backlog.read(backlog.end(), 1), Some(Vec::new()));
        assert!(backlog.read(99, 1).is_none() && backlog.read(backlog.end() + 1, 1).is_none());
    }

    #[test]
    fn what_a_replica_has_not_read_is_kept_longer() {
        let backlog = Backlog::default();
        backlog.restart(0);
        backlog.size.store(1 << 16, Ordering::Relaxed);
        backlog.pin(1, 0);
        let write = || (0..100).for_each(|_| backlog.append(&[b'x'; 10_000], true, (0, 0)));
        write();
        assert_eq!(backlog.begin(), 0);
        backlog.unpin(1);
        write();
        assert!(backlog.begin() > 800_000 && backlog.end() - backlog.begin() >= 1 << 16);
    }

    #[test]
    fn a_replica_that_does_not_read_holds_no_more_than_its_limit() {
        let (backlog, clients) = (Backlog::default(), OutputLimits::default());
        let replica = "replica 2mb 0 0";
        set(&clients, &backlog.limit, replica).expect("a limit");
        backlog.restart(0);
        backlog.pin(1, 0);
        (0..1000).for_each(|_| backlog.append(&[b'x'; 10_000], true, (0, 0)));
        let kept = backlog.end() - backlog.begin();
        assert!(kept <= (2 << 20) + 2 * count(PIECE), "{kept}");
        // The replica starts again with a copy.
        assert!(backlog.read(0, 1).is_none());
    }
}
