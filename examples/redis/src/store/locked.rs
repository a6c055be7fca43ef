//! The locked stripes of a command, and the command's records for the log.

use std::sync::MutexGuard;
use std::sync::atomic::Ordering;

use super::{DATABASES, FunctionLibraries, Keys, REPEATED, STRIPES, Store, View, usage};

/// The stripes that commands need.
#[derive(Debug)]
pub enum Needs<'a> {
    /// The stripes of these keys.
    Keys(Vec<&'a [u8]>),
    /// All stripes of the database.
    Database,
    /// All stripes of all databases.
    Databases,
}

/// The stripes that a command has locked. Its records are added to the log before the stripes are
/// unlocked.
pub struct Locked<'s> {
    store: &'s Store,
    /// The database of the command.
    pub db: usize,
    /// Time of the command in milliseconds since 1970. While a log is read, it is 0, so that
    /// nothing expires.
    pub now: u64,
    stripes: Stripes<'s>,
    /// Size of the stripes' keys at the beginning, in bytes.
    memory: usize,
    records: Vec<u8>,
    recorded: usize,
    /// The databases of the first and of the last record.
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
        store.snapshot.make_alike(store, &mut locked);
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

    /// Returns the time by the clock, even for a command that is repeated.
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

    /// Returns the stripe of a key. If the key has expired, it is removed first.
    ///
    /// # Panics
    /// If the command has not locked the stripe: the table of commands must describe all keys.
    pub fn keys(&mut self, key: &[u8]) -> &mut Keys {
        self.keys_in(self.db, key)
    }

    /// Like `keys`, but for another database.
    ///
    /// # Panics
    /// Like `keys`.
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

    /// Returns whether the stripe of a key is locked.
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

    /// Returns whether all stripes that a command needs are locked.
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

    /// Unlocks its stripes, and locks all stripes. Other commands may run in between, unless the
    /// caller prevents that.
    pub fn widen(&mut self) {
        if self.covers(&Needs::Databases) {
            return;
        }
        let (store, db, now) = (self.store, self.db, self.now);
        // Unlock the old stripes before locking, to keep the order of locks.
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

    /// Iterates over the locked stripes of the command's database, after removing expired keys.
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

    /// Removes expired keys, at most `most` per stripe. Returns how many.
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

    /// Swaps two locked databases.
    pub fn swap(&mut self, one: usize, other: usize) {
        let now = self.now;
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
                front[low].1.swap(&mut back[0].1, now);
            }
        }
    }

    /// Returns the libraries of functions.
    pub fn libraries(&self) -> MutexGuard<'s, FunctionLibraries> {
        self.store.libraries()
    }

    /// Calls a function for each locked key, with its database, value and time.
    pub fn every_key(&mut self, mut each: impl FnMut(usize, &[u8], View<'_>, u64)) {
        for (stripe, keys) in self.numbered() {
            for (key, view, expires) in keys.iter() {
                each(stripe / STRIPES, key, view, expires);
            }
        }
    }

    /// Returns for each database how many locked keys it has, and how many of them expire.
    #[must_use]
    pub fn counts(&mut self) -> [(usize, usize); DATABASES] {
        let mut counts = [(0, 0); DATABASES];
        for (stripe, keys) in self.numbered() {
            let count = &mut counts[stripe / STRIPES];
            *count = (count.0 + keys.len(), count.1 + keys.expiring());
        }
        counts
    }

    /// Returns the number of changes of the keys.
    pub fn changes(&mut self) -> u64 {
        self.every().map(|keys| keys.changes).sum()
    }

    /// Returns whether records are kept.
    #[must_use]
    pub fn is_recorded(&self) -> bool {
        self.now != 0 && (self.store.log.is_on() || self.store.is_sent())
    }

    /// Adds a command to the log.
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
    /// Adds the records to the log while the stripes are still locked, so that the log has the
    /// changes in their real order.
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

/// Encodes a command in the form that clients send.
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
