//! The stripes that a command has locked, and what it leaves in the log.

use std::sync::MutexGuard;
use std::sync::atomic::Ordering;

use super::{DATABASES, Keys, REPEATED, STRIPES, Store, View, usage};

/// The stripes that commands need.
#[derive(Debug)]
pub enum Needs<'a> {
    /// Those of keys.
    Keys(Vec<&'a [u8]>),
    /// Those of the database.
    Database,
    /// All.
    Databases,
}

/// The stripes that a command has locked. What it has recorded is in the log before they are let
/// go.
pub struct Locked<'s> {
    store: &'s Store,
    /// The database of the command.
    pub db: usize,
    /// The time of the command, in milliseconds since 1970. Nothing expires at 0, while a log is
    /// read.
    pub now: u64,
    stripes: Stripes<'s>,
    /// The bytes of their keys at the beginning.
    memory: usize,
    records: Vec<u8>,
    recorded: usize,
    /// The databases of the first record and of the last one.
    first_db: usize,
    recorded_in: usize,
}

enum Stripes<'s> {
    One(usize, MutexGuard<'s, Keys>),
    Several(Vec<(usize, MutexGuard<'s, Keys>)>),
}

impl<'s> Locked<'s> {
    pub(super) fn one(store: &'s Store, db: usize, now: u64, stripe: usize) -> Self {
        Locked::new(store, db, now, Stripes::One(stripe, store.lock(stripe)))
    }

    pub(super) fn several(store: &'s Store, db: usize, now: u64, mut stripes: Vec<usize>) -> Self {
        stripes.sort_unstable();
        stripes.dedup();
        let locked = stripes
            .into_iter()
            .map(|stripe| (stripe, store.lock(stripe)));
        let mut locked: Vec<_> = locked.collect();
        store.snapshot.make_alike(&mut locked);
        Locked::new(store, db, now, Stripes::Several(locked))
    }

    fn new(store: &'s Store, db: usize, now: u64, stripes: Stripes<'s>) -> Self {
        let counts = store.counts_uses.load(Ordering::Relaxed);
        let mut locked = Locked {
            store,
            db,
            now,
            stripes,
            memory: 0,
            records: Vec::new(),
            recorded: 0,
            first_db: db,
            recorded_in: db,
        };
        let (clock, hides) = match (now, store.follows()) {
            (REPEATED, _) => (super::now(), 0),
            (now, true) => (now, now),
            (now, false) => (now, 0),
        };
        let (mut memory, stamp) = (0, usage::stamp(clock, counts));
        locked.every().for_each(|keys| {
            keys.stamp = stamp;
            keys.hides = hides;
            memory += keys.memory();
        });
        locked.memory = memory;
        locked
    }

    /// The time by the clock, also of a command that is repeated.
    #[must_use]
    pub fn clock(&self) -> u64 {
        match self.now {
            REPEATED => super::now(),
            now => now,
        }
    }

    fn stripe(&mut self, stripe: usize) -> &mut Keys {
        match &mut self.stripes {
            Stripes::One(locked, keys) if *locked == stripe => keys,
            Stripes::One(..) => panic!("a command uses a key that is not one of its keys"),
            Stripes::Several(all) => {
                let found = all.binary_search_by_key(&stripe, |(locked, _)| *locked);
                &mut all[found.expect("a command uses its keys")].1
            }
        }
    }

    /// The stripe of a key, without the key if it has expired.
    ///
    /// # Panics
    /// If the command has not locked it: the table of commands says which of its arguments are
    /// keys.
    pub fn keys(&mut self, key: &[u8]) -> &mut Keys {
        self.keys_in(self.db, key)
    }

    /// The same in another database.
    ///
    /// # Panics
    /// The same.
    pub fn keys_in(&mut self, db: usize, key: &[u8]) -> &mut Keys {
        let stripe = self.store.stripe_of(db, key);
        let now = self.now;
        if !self.store.follows() && self.stripe(stripe).is_over(key, now) {
            self.stripe(stripe).remove(key);
            let before = std::mem::replace(&mut self.db, db);
            self.record(&[b"DEL", key]);
            self.db = before;
        }
        self.stripe(stripe)
    }

    /// Whether the command has locked the stripe of a key.
    #[must_use]
    pub fn has(&self, key: &[u8]) -> bool {
        let stripe = self.store.stripe_of(self.db, key);
        match &self.stripes {
            Stripes::One(locked, _) => *locked == stripe,
            Stripes::Several(all) => all
                .binary_search_by_key(&stripe, |(locked, _)| *locked)
                .is_ok(),
        }
    }

    /// Whether it has locked all that a command needs.
    #[must_use]
    pub fn covers(&self, needs: &Needs<'_>) -> bool {
        let count = match &self.stripes {
            Stripes::One(..) => 1,
            Stripes::Several(all) => all.len(),
        };
        match needs {
            Needs::Keys(keys) => keys.iter().all(|key| self.has(key)),
            Needs::Database | Needs::Databases => count == STRIPES * DATABASES,
        }
    }

    /// Lets its stripes go, and locks all. Others may change something between the two, unless they
    /// are kept from it.
    pub fn widen(&mut self) {
        if self.covers(&Needs::Databases) {
            return;
        }
        let (store, db, now) = (self.store, self.db, self.now);
        // The old ones are dropped before the new ones are locked.
        let nothing = Locked::new(store, db, now, Stripes::Several(Vec::new()));
        drop(std::mem::replace(self, nothing));
        *self = store.everything(db, now);
    }

    fn every(&mut self) -> impl Iterator<Item = &mut Keys> {
        self.numbered().map(|(_, keys)| keys)
    }

    fn numbered(&mut self) -> impl Iterator<Item = (usize, &mut Keys)> {
        let (one, several) = match &mut self.stripes {
            Stripes::One(stripe, keys) => (Some((*stripe, &mut **keys)), None),
            Stripes::Several(all) => (None, Some(all)),
        };
        let several = several.into_iter().flatten();
        one.into_iter()
            .chain(several.map(|(stripe, keys)| (*stripe, &mut **keys)))
    }

    /// The stripes of the command's database that are locked, without what has expired.
    pub fn each(&mut self) -> impl Iterator<Item = &mut Keys> {
        self.expire(usize::MAX);
        let db = self.db;
        self.numbered()
            .filter(move |(stripe, _)| stripe / STRIPES == db)
            .map(|(_, keys)| keys)
    }

    /// Removes all keys of the database, or of all databases.
    pub fn clear(&mut self, all: bool) {
        let db = self.db;
        let stripes = self.numbered();
        let of = stripes.filter(|(stripe, _)| all || stripe / STRIPES == db);
        of.for_each(|(_, keys)| keys.clear());
    }

    /// Removes what has expired, at most so many keys of each stripe. Returns how many.
    pub(super) fn expire(&mut self, most: usize) -> u64 {
        let now = self.now;
        let mut gone = Vec::new();
        if self.store.follows() {
            return 0;
        }
        for (stripe, keys) in self.numbered() {
            let keys = keys.expire(now, most).into_iter();
            gone.extend(keys.map(|key| (stripe / STRIPES, key)));
        }
        let db = self.db;
        for (of, key) in &gone {
            self.db = *of;
            self.record(&[b"DEL", key]);
        }
        self.db = db;
        u64::try_from(gone.len()).unwrap_or(u64::MAX)
    }

    /// Swaps two databases, which are locked.
    pub fn swap(&mut self, one: usize, other: usize) {
        let Stripes::Several(all) = &mut self.stripes else {
            return;
        };
        for number in 0..STRIPES {
            let (low, high) = (
                one.min(other) * STRIPES + number,
                one.max(other) * STRIPES + number,
            );
            let (Ok(low), Ok(high)) = (
                all.binary_search_by_key(&low, |(locked, _)| *locked),
                all.binary_search_by_key(&high, |(locked, _)| *locked),
            ) else {
                continue;
            };
            if low < high {
                let (front, back) = all.split_at_mut(high);
                front[low].1.swap(&mut back[0].1);
            }
        }
    }

    /// All keys that are locked, by their databases, with their values and times.
    pub fn every_key(&mut self, mut each: impl FnMut(usize, &[u8], View<'_>, u64)) {
        for (stripe, keys) in self.numbered() {
            for (key, view, expires) in keys.iter() {
                each(stripe / STRIPES, key, view, expires);
            }
        }
    }

    /// How many keys each database has, and how many of them expire, as far as they are locked.
    #[must_use]
    pub fn counts(&mut self) -> [(usize, usize); DATABASES] {
        let mut counts = [(0, 0); DATABASES];
        for (stripe, keys) in self.numbered() {
            let count = &mut counts[stripe / STRIPES];
            *count = (count.0 + keys.len(), count.1 + keys.expiring());
        }
        counts
    }

    /// How often the keys have changed.
    pub fn changes(&mut self) -> u64 {
        self.every().map(|keys| keys.changes).sum()
    }

    /// Whether records are kept.
    #[must_use]
    pub fn is_recorded(&self) -> bool {
        self.now != 0 && (self.store.log.is_on() || self.store.is_sent())
    }

    /// The log has this command.
    pub fn record(&mut self, words: &[&[u8]]) {
        if !self.is_recorded() {
            return;
        }
        if self.recorded == 0 {
            self.first_db = self.db;
        } else if self.recorded_in != self.db {
            write_command(
                &mut self.records,
                &[b"SELECT", self.db.to_string().as_bytes()],
            );
        }
        self.recorded_in = self.db;
        self.recorded += 1;
        write_command(&mut self.records, words);
    }
}

impl Drop for Locked<'_> {
    /// What was recorded goes to the log while the stripes are locked, so that the log has the
    /// order of the changes.
    fn drop(&mut self) {
        let (mut memory, mut first) = (0, u64::MAX);
        self.every().for_each(|keys| {
            keys.hides = 0;
            memory += keys.memory();
            first = first.min(keys.first_expiry());
        });
        self.store.memory_changed(self.memory, memory);
        self.store.expires_at(first);
        if self.recorded == 0 {
            return;
        }
        let (first, last) = (self.first_db, self.recorded_in);
        let is_in_copy = {
            let snapshot = &self.store.snapshot;
            self.every().next().is_some_and(|keys| snapshot.has(keys))
        };
        let records = std::mem::take(&mut self.records);
        let is_one = self.recorded == 1;
        let store = self.store;
        if store.log.is_on() {
            store
                .log
                .append(&records, is_one, (first, last), is_in_copy);
        }
        if store.is_sent() {
            store.backlog.append(&records, is_one, (first, last));
        }
    }
}

/// Writes a command as clients send it.
pub fn write_command(to: &mut Vec<u8>, words: &[&[u8]]) {
    let number = |mark: u8, number: usize, to: &mut Vec<u8>| {
        to.push(mark);
        to.extend_from_slice(number.to_string().as_bytes());
        to.extend_from_slice(b"\r\n");
    };
    number(b'*', words.len(), to);
    for word in words {
        number(b'$', word.len(), to);
        to.extend_from_slice(word);
        to.extend_from_slice(b"\r\n");
    }
}
