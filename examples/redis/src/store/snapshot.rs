//! A copy of all keys, made stripe by stripe while commands continue.
//!
//! A command that locks one stripe runs either before the stripe is copied, and is part of the
//! copy, or after it, and goes to the file that complements the copy. A command that locks several
//! stripes must not find both kinds, so the stripes that were not copied yet are copied first
//! ([`Snapshot::make_alike`]).

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Group, Id, Keys, STRIPES, Store, Stream, Value, View, locked::write_command};

/// A copy in progress.
#[derive(Debug, Default)]
pub struct Snapshot {
    /// Number of the copy; 0 if there is none.
    number: AtomicU64,
    /// Encoded stripes that are not written yet.
    pieces: Mutex<Vec<Vec<u8>>>,
}

impl Snapshot {
    fn pieces(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a copy in progress includes these keys.
    pub(super) fn has(&self, keys: &Keys) -> bool {
        let number = self.number.load(Ordering::Acquire);
        number != 0 && keys.copied == number
    }

    /// Makes sure that either all of the stripes are copied, or none of them.
    pub(super) fn make_alike(&self, store: &Store, stripes: &mut [(usize, MutexGuard<'_, Keys>)]) {
        let number = self.number.load(Ordering::Acquire);
        if number == 0 || stripes.iter().all(|(_, keys)| keys.copied != number) {
            return;
        }
        for (stripe, keys) in stripes {
            self.copy(store, *stripe, keys, number);
        }
    }

    fn copy(&self, store: &Store, stripe: usize, keys: &mut Keys, number: u64) {
        if keys.copied == number {
            return;
        }
        keys.copied = number;
        let mut piece = Vec::new();
        if stripe == 0 {
            store.libraries().write(&mut piece);
        }
        if keys.is_empty() && piece.is_empty() {
            return;
        }
        write_command(
            &mut piece,
            &[b"SELECT", (stripe / STRIPES).to_string().as_bytes()],
        );
        for (key, view, expires) in keys.iter() {
            write_key(&mut piece, key, view, expires);
        }
        self.pieces().push(piece);
    }
}

impl Store {
    /// Starts a copy. Returns `false` if there already is one.
    pub fn begin_snapshot(&self, number: u64) -> bool {
        let number_is = &self.snapshot.number;
        // After this, each record is assigned to the copy or to the complementing file. No stripe
        // is copied yet.
        self.log.begin_copy();
        let begun = number_is.compare_exchange(0, number, Ordering::AcqRel, Ordering::Acquire);
        begun.is_ok()
    }

    /// Copies the next stripes. Returns the pieces that can be written; there are none when all
    /// stripes are copied.
    pub fn copy_stripes(&self, stripes: std::ops::Range<usize>) -> Vec<Vec<u8>> {
        let number = self.snapshot.number.load(Ordering::Acquire);
        for stripe in stripes {
            let mut keys = self.lock(stripe);
            self.snapshot.copy(self, stripe, &mut keys, number);
        }
        std::mem::take(&mut *self.snapshot.pieces())
    }

    /// Returns the number of stripes in all databases.
    #[must_use]
    pub fn all_stripes(&self) -> usize {
        self.stripes.len()
    }

    /// Ends the copy.
    pub fn end_snapshot(&self) {
        self.snapshot.number.store(0, Ordering::Release);
        self.snapshot.pieces().clear();
    }
}

/// Encodes commands that set a key to its value.
fn write_key(to: &mut Vec<u8>, key: &[u8], view: View<'_>, expires: u64) {
    /// Approximate maximum number of words in one command.
    const WORDS: usize = 128;
    let mut pieces = |name: &[u8], words: Vec<&[u8]>| {
        for piece in words.chunks(WORDS) {
            write_command(to, &[&[name, key], piece].concat());
        }
    };
    match view {
        View::String(text) => pieces(b"SET", vec![text]),
        View::Value(Value::String(text)) => pieces(b"SET", vec![text]),
        View::Value(Value::List(list)) => pieces(b"RPUSH", list.iter().map(|it| &**it).collect()),
        View::Value(Value::Set(set)) => pieces(b"SADD", set.iter().map(|it| &**it).collect()),
        View::Value(Value::Hash(hash)) => {
            let pairs = hash.iter().flat_map(|(field, value)| [&**field, &**value]);
            pieces(b"HSET", pairs.collect());
        }
        View::Value(Value::SortedSet(set)) => {
            let scores: Vec<String> = set
                .iter()
                .map(|(_, score)| crate::number::text(score))
                .collect();
            let pairs = scores.iter().zip(set.iter());
            let words = pairs.flat_map(|(score, (member, _))| [score.as_bytes(), member]);
            pieces(b"ZADD", words.collect());
        }
        View::Value(Value::Stream(stream)) => write_stream(to, key, stream),
    }
    if expires != 0 {
        write_command(to, &[b"PEXPIREAT", key, expires.to_string().as_bytes()]);
    }
}

/// Encodes commands that create a stream.
fn write_stream(to: &mut Vec<u8>, key: &[u8], stream: &Stream) {
    for (id, fields) in &stream.entries {
        let id = id.to_string();
        let fields = fields.iter().map(|it| &**it);
        let words = [b"XADD".as_slice(), key, id.as_bytes()]
            .into_iter()
            .chain(fields);
        write_command(to, &words.collect::<Vec<_>>());
    }
    let last = stream.last.to_string();
    if stream.entries.is_empty() {
        // An entry that is trimmed immediately creates an empty stream.
        let id = stream.last.max(Id::new(0, 1)).to_string();
        write_command(
            to,
            &[b"XADD", key, b"MAXLEN", b"0", id.as_bytes(), b"x", b"y"],
        );
    }
    let (added, deleted) = (stream.added.to_string(), stream.deleted.to_string());
    let words = [
        b"XSETID".as_slice(),
        key,
        last.as_bytes(),
        b"ENTRIESADDED",
        added.as_bytes(),
    ];
    write_command(
        to,
        &[&words[..], &[b"MAXDELETEDID", deleted.as_bytes()]].concat(),
    );
    for (name, group) in &stream.groups {
        write_group(to, key, name, group);
    }
}

fn write_group(to: &mut Vec<u8>, key: &[u8], name: &[u8], group: &Group) {
    let last = group.last.to_string();
    let read = group
        .read
        .map_or_else(|| "-1".to_owned(), |it| it.to_string());
    let words = [b"XGROUP".as_slice(), b"CREATE", key, name, last.as_bytes()];
    write_command(
        to,
        &[&words[..], &[b"ENTRIESREAD", read.as_bytes()]].concat(),
    );
    for consumer in group.consumers.keys() {
        write_command(to, &[b"XGROUP", b"CREATECONSUMER", key, name, consumer]);
    }
    for (id, pending) in &group.pending {
        let (id, time, count) = (
            id.to_string(),
            pending.time.to_string(),
            pending.count.to_string(),
        );
        let head = [
            b"XCLAIM".as_slice(),
            key,
            name,
            &pending.consumer,
            b"0",
            id.as_bytes(),
        ];
        let tail = [
            b"TIME".as_slice(),
            time.as_bytes(),
            b"RETRYCOUNT",
            count.as_bytes(),
            b"FORCE",
            b"JUSTID",
        ];
        write_command(to, &[&head[..], &tail[..]].concat());
    }
}
