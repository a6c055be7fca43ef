//! Observing the commands of all clients (MONITOR, SLOWLOG), and holding them back (CLIENT PAUSE).

use std::collections::VecDeque;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::hub::Outbox;
use crate::store::{Bytes, micros, now};

/// The clients that receive all requests.
#[derive(Debug, Default)]
pub struct Monitors {
    count: AtomicUsize,
    all: Mutex<Vec<Weak<Outbox>>>,
}

/// Writes a word in quotation marks.
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
            // Writing to a vector cannot fail.
            _ => drop(write!(to, "\\x{byte:02x}")),
        }
    }
    to.push(b'"');
}

impl Monitors {
    fn all(&self) -> MutexGuard<'_, Vec<Weak<Outbox>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of monitoring clients. Clients that have gone may still count.
    pub fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// Adds a client.
    pub fn add(&self, outbox: &Arc<Outbox>) {
        let mut all = self.all();
        all.push(Arc::downgrade(outbox));
        self.count.store(all.len(), Ordering::Relaxed);
    }

    /// Sends a request to all monitoring clients.
    pub fn show(&self, db: usize, peer: &str, words: &[&[u8]]) {
        let time = micros();
        let mut line = Vec::new();
        // Writing to a vector cannot fail.
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

/// An entry of the log of slow commands.
#[derive(Debug, Clone)]
pub struct Slow {
    /// The entry's number.
    pub id: u64,
    /// Start of the command in seconds since 1970.
    pub time: u64,
    /// Duration in microseconds.
    pub took: u64,
    /// The command's words, shortened.
    pub words: Vec<Bytes>,
    /// The client's address.
    pub peer: String,
    /// The client's name.
    pub name: Arc<[u8]>,
}

/// The log of slow commands, the latest first.
#[derive(Debug)]
pub struct SlowLog {
    /// Minimum duration of an entry in microseconds; negative if there are no entries.
    pub slower_than: AtomicI64,
    /// Maximum number of entries.
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
    /// Returns the entries.
    pub fn entries(&self) -> MutexGuard<'_, VecDeque<Slow>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a command with this duration in microseconds is logged.
    pub fn takes(&self, took: u64) -> bool {
        let least = self.slower_than.load(Ordering::Relaxed);
        u64::try_from(least).is_ok_and(|least| took >= least)
    }

    /// Logs a command. `time` is its start in microseconds since 1970.
    pub fn add(&self, time: u64, took: u64, words: &[&[u8]], peer: String, name: Arc<[u8]>) {
        /// Maximum number of words and of bytes, as in redis-server.
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

/// The state of CLIENT PAUSE.
#[derive(Debug, Default)]
pub struct Pause {
    /// End of the pause in milliseconds since 1970; 0 if there is none.
    end: AtomicU64,
    /// Whether commands that change nothing are paused as well.
    is_whole: AtomicBool,
    /// Number of clients that wait for the end.
    waiting: AtomicUsize,
}

/// A client that waits for the end of a pause. Dropping it ends the wait.
pub struct Paused<'p>(&'p Pause);

impl Drop for Paused<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Pause {
    /// Returns whether there may be a pause.
    pub fn is_on(&self) -> bool {
        self.end.load(Ordering::Relaxed) != 0
    }

    /// Returns whether the pause is over.
    pub fn is_over(&self) -> bool {
        now() >= self.end.load(Ordering::Relaxed)
    }

    /// Starts a pause. It does not shorten a pause that is already running.
    pub fn begin(&self, end: u64, is_whole: bool) {
        let was_on = self.is_on();
        self.end.fetch_max(end, Ordering::Relaxed);
        let was_whole = was_on && self.is_whole.load(Ordering::Relaxed);
        self.is_whole
            .store(is_whole || was_whole, Ordering::Relaxed);
    }

    /// Counts a client that waits.
    pub fn enter(&self) -> Paused<'_> {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        Paused(self)
    }

    /// Returns the number of clients that wait.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Ends the pause.
    pub fn end(&self) {
        self.end.store(0, Ordering::Relaxed);
    }

    /// Returns whether a command has to wait. `writes` tells whether the command changes something.
    pub fn holds(&self, now: u64, writes: impl Fn() -> bool) -> bool {
        let end = self.end.load(Ordering::Relaxed);
        if now >= end {
            // Another pause may have started.
            let _ = self
                .end
                .compare_exchange(end, 0, Ordering::Relaxed, Ordering::Relaxed);
            return false;
        }
        self.is_whole.load(Ordering::Relaxed) || writes()
    }
}
