//! What is seen of all clients' commands: MONITOR, SLOWLOG; and CLIENT PAUSE, which holds them
//! back.

use std::collections::VecDeque;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::hub::Outbox;
use crate::store::{Bytes, micros, now};

/// The clients that see what others ask.
#[derive(Debug, Default)]
pub struct Monitors {
    count: AtomicUsize,
    all: Mutex<Vec<Weak<Outbox>>>,
}

/// A word within quotation marks.
fn quoted(to: &mut Vec<u8>, word: &[u8]) {
    to.push(b'"');
    for byte in word {
        match byte {
            b'\\' | b'"' => to.extend([b'\\', *byte]),
            b'\n' => to.extend(b"\\n"),
            b'\r' => to.extend(b"\\r"),
            b'\t' => to.extend(b"\\t"),
            7 => to.extend(b"\\a"),
            8 => to.extend(b"\\b"),
            b' '..=b'~' => to.push(*byte),
            // Writing to a vector does not fail.
            _ => drop(write!(to, "\\x{byte:02x}")),
        }
    }
    to.push(b'"');
}

impl Monitors {
    fn all(&self) -> MutexGuard<'_, Vec<Weak<Outbox>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many there are, or were.
    pub fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// One more.
    pub fn add(&self, outbox: &Arc<Outbox>) {
        let mut all = self.all();
        all.push(Arc::downgrade(outbox));
        self.count.store(all.len(), Ordering::Relaxed);
    }

    /// All of them see a request.
    pub fn show(&self, db: usize, peer: &str, words: &[&[u8]]) {
        let time = micros();
        let mut line = Vec::new();
        // Writing to a vector does not fail.
        let (seconds, rest) = (time / 1_000_000, time % 1_000_000);
        let _ = write!(line, "+{seconds}.{rest:06} [{db} {peer}]");
        for word in words {
            line.push(b' ');
            quoted(&mut line, word);
        }
        line.extend_from_slice(b"\r\n");
        let mut all = self.all();
        all.retain(|it| it.strong_count() > 0);
        self.count.store(all.len(), Ordering::Relaxed);
        let outboxes: Vec<Arc<Outbox>> = all.iter().filter_map(Weak::upgrade).collect();
        drop(all);
        outboxes.iter().for_each(|it| it.put_bytes(&line));
    }
}

/// A command that took long.
#[derive(Debug, Clone)]
pub struct Slow {
    /// Its number.
    pub id: u64,
    /// When it began, in seconds since 1970.
    pub time: u64,
    /// In microseconds.
    pub took: u64,
    /// Its words, shortened.
    pub words: Vec<Bytes>,
    /// The client's address.
    pub peer: String,
    /// The client's name.
    pub name: Arc<[u8]>,
}

/// The commands that took long, the latest first.
#[derive(Debug)]
pub struct SlowLog {
    /// In microseconds; negative if none is kept.
    pub slower_than: AtomicI64,
    /// How many are kept.
    pub most: AtomicUsize,
    next: AtomicU64,
    entries: Mutex<VecDeque<Slow>>,
}

impl Default for SlowLog {
    fn default() -> Self {
        SlowLog {
            slower_than: AtomicI64::new(10_000),
            most: AtomicUsize::new(128),
            next: AtomicU64::new(0),
            entries: Mutex::default(),
        }
    }
}

impl SlowLog {
    /// The entries.
    pub fn entries(&self) -> MutexGuard<'_, VecDeque<Slow>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a command that took so many microseconds is kept.
    pub fn takes(&self, took: u64) -> bool {
        let least = self.slower_than.load(Ordering::Relaxed);
        u64::try_from(least).is_ok_and(|least| took >= least)
    }

    /// Keeps a command that began at a time, in microseconds since 1970.
    pub fn add(&self, time: u64, took: u64, words: &[&[u8]], peer: String, name: Arc<[u8]>) {
        /// As many words and bytes as redis-server keeps.
        const WORDS: usize = 32;
        const BYTES: usize = 128;
        let short = |word: &&[u8]| match word.len().checked_sub(BYTES) {
            None | Some(0) => Bytes::from(*word),
            Some(more) => {
                let tail = format!("... ({more} more bytes)");
                [&word[..BYTES], tail.as_bytes()].concat().into()
            }
        };
        let shown = if words.len() > WORDS {
            WORDS - 1
        } else {
            words.len()
        };
        let mut kept: Vec<Bytes> = words[..shown].iter().map(short).collect();
        if shown < words.len() {
            let more = format!("... ({} more arguments)", words.len() - shown);
            kept.push(more.into_bytes().into());
        }
        let mut entries = self.entries();
        entries.push_front(Slow {
            id: self.next.fetch_add(1, Ordering::Relaxed),
            time: time / 1_000_000,
            took,
            words: kept,
            peer,
            name,
        });
        entries.truncate(self.most.load(Ordering::Relaxed));
    }
}

/// Until when commands wait.
#[derive(Debug, Default)]
pub struct Pause {
    /// In milliseconds since 1970; 0 if they do not.
    end: AtomicU64,
    /// Whether also those wait that change nothing.
    is_whole: AtomicBool,
}

impl Pause {
    /// Whether it may be so.
    pub fn is_on(&self) -> bool {
        self.end.load(Ordering::Relaxed) != 0
    }

    /// Whether its time is over.
    pub fn is_over(&self) -> bool {
        now() >= self.end.load(Ordering::Relaxed)
    }

    /// They wait, and no shorter than somebody has asked for before.
    pub fn begin(&self, end: u64, is_whole: bool) {
        let was_on = self.is_on();
        self.end.fetch_max(end, Ordering::Relaxed);
        let was_whole = was_on && self.is_whole.load(Ordering::Relaxed);
        self.is_whole
            .store(is_whole || was_whole, Ordering::Relaxed);
    }

    /// They go on.
    pub fn end(&self) {
        self.end.store(0, Ordering::Relaxed);
    }

    /// Whether a command waits. `writes`: whether it changes something.
    pub fn holds(&self, now: u64, writes: impl Fn() -> bool) -> bool {
        let end = self.end.load(Ordering::Relaxed);
        if now >= end {
            // Another pause may have begun.
            let _ = self
                .end
                .compare_exchange(end, 0, Ordering::Relaxed, Ordering::Relaxed);
            return false;
        }
        self.is_whole.load(Ordering::Relaxed) || writes()
    }
}
