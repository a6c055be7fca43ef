//! The store: all keys, shared by all reactors.
//!
//! The keys are divided into stripes by their hashes. Each stripe has a lock. A command locks the
//! stripes of its keys in a fixed order, runs, and unlocks them. So it is atomic, even if reactors
//! run commands in parallel. No code waits for an event while it holds a lock.

mod append_log;
mod backlog;
mod digest;
mod keys;
mod libraries;
mod locked;
mod slot;
mod snapshot;
mod sorted_set;
mod stream;
pub mod usage;
mod value;
mod walks;
mod watched;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use std::hash::BuildHasher;

use hashbrown::DefaultHashBuilder;

pub use append_log::{AppendLog, Batch, Sync, Wants};
pub use backlog::Backlog;
pub use keys::{Keys, WrongType};
pub use libraries::{FunctionLibraries, FunctionLibrary, LibraryFunction, ScriptFlags};
pub use locked::{Locked, Needs, write_command};
pub use slot::View;
pub use snapshot::Snapshot;
pub use sorted_set::SortedSet;
pub use stream::{Consumer, Fields, Group, HIGHEST, Id, Kept, Pending, Stream};
pub use value::{Bytes, Hash, Kind, List, Set, Value};
pub use walks::{Names, Walks};

/// Number of stripes. There are at most as many reactors as cores, so two of them seldom need one
/// stripe at a time.
pub const STRIPES: usize = 64;
const _: () = assert!(
    (STRIPES * DATABASES).is_power_of_two(),
    "an eviction goes through all of them by an odd distance"
);
/// Number of databases.
pub const DATABASES: usize = 16;

/// Time of a command that a replica repeats. Nothing expires at this time, because the master
/// decides what expires.
pub const REPEATED: u64 = 1;

/// All keys.
#[derive(Debug)]
pub struct Store {
    stripes: Box<[Mutex<Keys>]>,
    hasher: DefaultHashBuilder,
    /// Assigns keys to stripes instead of their hashes, if it is set.
    group_of: OnceLock<fn(&[u8]) -> usize>,
    /// Changes for the append-only file.
    pub log: AppendLog,
    /// Changes for the replicas.
    pub backlog: Backlog,
    /// Whether this server is a replica, whose keys only its master may change.
    follows: AtomicBool,
    libraries: Mutex<FunctionLibraries>,
    /// Passes over large values.
    pub walks: Walks,
    /// A copy in progress.
    pub snapshot: Snapshot,
    /// Approximate size of all keys in bytes, updated when stripes are unlocked.
    memory: AtomicUsize,
    /// No key expires before this time, in milliseconds since 1970; `u64::MAX` if no key expires.
    first_expiry: AtomicU64,
    /// Whether uses are counted (LFU).
    pub counts_uses: AtomicBool,
    /// Keys that are no longer watched, but whose stripes were locked when the watching ended.
    unwatched: Mutex<Vec<(usize, Bytes)>>,
}

impl Default for Store {
    fn default() -> Self {
        let hasher = DefaultHashBuilder::default();
        let keys = |_| Mutex::new(Keys::new(hasher.clone()));
        Store {
            stripes: (0..STRIPES * DATABASES).map(keys).collect(),
            hasher: hasher.clone(),
            group_of: OnceLock::new(),
            log: AppendLog::default(),
            backlog: Backlog::default(),
            follows: AtomicBool::new(false),
            libraries: Mutex::default(),
            walks: Walks::default(),
            snapshot: Snapshot::default(),
            memory: AtomicUsize::new(0),
            first_expiry: AtomicU64::new(u64::MAX),
            counts_uses: AtomicBool::new(false),
            unwatched: Mutex::default(),
        }
    }
}

impl Store {
    /// Returns whether this server is a replica.
    #[must_use]
    pub fn follows(&self) -> bool {
        self.follows.load(Ordering::Relaxed)
    }

    /// Makes this server a replica or a master. No command may run in the meantime.
    pub fn set_follows(&self, follows: bool) {
        self.follows.store(follows, Ordering::Relaxed);
    }

    /// Returns whether changes are kept for replicas. A replica keeps its master's commands as it
    /// received them.
    fn is_sent(&self) -> bool {
        self.backlog.is_on() && !self.follows()
    }

    /// Keeps the keys of one group in one stripe. The store has to be empty.
    pub fn group_by(&self, group_of: fn(&[u8]) -> usize) {
        let _ = self.group_of.set(group_of);
    }

    fn stripe_of(&self, db: usize, key: &[u8]) -> usize {
        let number = self.group_of.get().map_or_else(
            || {
                let hash = self.hasher.hash_one(key);
                // The lowest and the highest bits are used within the table of a stripe.
                usize::try_from(hash >> 32).unwrap_or_default()
            },
            |group_of| group_of(key),
        );
        db * STRIPES + number % STRIPES
    }

    fn lock(&self, stripe: usize) -> MutexGuard<'_, Keys> {
        // After a panic, the process is restarted. The stripe has the changes made before the
        // panic.
        let stripe = &self.stripes[stripe];
        stripe.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the stripe of a key.
    pub fn one(&self, db: usize, key: &[u8], now: u64) -> Locked<'_> {
        let stripe = self.stripe_of(db, key);
        Locked::one(self, db, now, stripe)
    }

    /// Locks the stripes of several keys, always in one order.
    pub fn several<'k>(
        &self,
        db: usize,
        keys: impl Iterator<Item = &'k [u8]>,
        now: u64,
    ) -> Locked<'_> {
        let stripes = keys.map(|key| self.stripe_of(db, key)).collect();
        Locked::several(self, db, now, stripes)
    }

    /// Locks a database.
    pub fn all(&self, db: usize, now: u64) -> Locked<'_> {
        let stripes = db * STRIPES..(db + 1) * STRIPES;
        Locked::several(self, db, now, stripes.collect())
    }

    /// Locks everything.
    pub fn everything(&self, db: usize, now: u64) -> Locked<'_> {
        Locked::several(self, db, now, (0..self.stripes.len()).collect())
    }

    /// Locks one stripe of a database, by its number.
    pub fn stripe(&self, db: usize, number: usize, now: u64) -> Locked<'_> {
        Locked::one(self, db, now, db * STRIPES + number % STRIPES)
    }

    /// Locks the stripe that guards the libraries of functions.
    pub fn of_libraries(&self, now: u64) -> Locked<'_> {
        self.stripe(0, 0, now)
    }

    /// Returns the libraries of functions. Only a command that has locked their stripe changes
    /// them.
    pub fn libraries(&self) -> MutexGuard<'_, FunctionLibraries> {
        self.libraries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops watching a key for a transaction. This never waits, because a script may have locked
    /// the key for long.
    pub fn unwatch(&self, db: usize, key: &[u8]) {
        let stripe = &self.stripes[self.stripe_of(db, key)];
        match stripe.try_lock() {
            Ok(mut keys) => keys.forget_watched(key),
            Err(_) => self.unwatched().push((db, key.into())),
        }
    }

    fn unwatched(&self) -> MutexGuard<'_, Vec<(usize, Bytes)>> {
        self.unwatched
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes the watches on keys that were locked when the watching ended. No script may be
    /// running.
    pub fn forget_unwatched(&self) {
        let keys = std::mem::take(&mut *self.unwatched());
        for (db, key) in keys {
            self.lock(self.stripe_of(db, &key)).forget_watched(&key);
        }
    }

    /// Returns the number of keys in a database, and how many of them expire.
    #[must_use]
    pub fn counts(&self, db: usize) -> (usize, usize) {
        let stripes = db * STRIPES..(db + 1) * STRIPES;
        stripes.fold((0, 0), |(all, expiring), stripe| {
            let keys = self.lock(stripe);
            (all + keys.len(), expiring + keys.expiring())
        })
    }

    /// Returns the approximate size of all keys in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.memory.load(Ordering::Relaxed)
    }

    /// Records a key's time of expiry. The key's stripe has to be locked.
    fn expires_at(&self, time: u64) {
        if time < self.first_expiry.load(Ordering::Relaxed) {
            self.first_expiry.fetch_min(time, Ordering::Relaxed);
        }
    }

    /// Returns whether a key may expire before this time.
    #[must_use]
    pub fn expires_before(&self, time: u64) -> bool {
        self.first_expiry.load(Ordering::Relaxed) < time
    }

    /// Removes expired keys, stripe by stripe. Returns how many. This is free if no key has
    /// expired.
    pub fn expire(&self, now: u64) -> u64 {
        /// Number of keys to remove while a stripe is locked.
        const AT_ONCE: usize = 1000;
        let mut gone = 0;
        if self.follows() || !self.expires_before(now.saturating_add(1)) {
            return 0;
        }
        // Each stripe records its earliest expiry again when it is unlocked.
        self.first_expiry.store(u64::MAX, Ordering::Relaxed);
        for stripe in 0..self.stripes.len() {
            let mut locked = Locked::one(self, stripe / STRIPES, now, stripe);
            gone += locked.expire(AT_ONCE);
        }
        gone
    }

    /// Evicts one key: the one with the lowest rank in a sample, by use and expiry. Returns whether
    /// there was one.
    pub fn evict(&self, now: u64, volatile: bool, rank: impl Fn(u32, u64) -> u64 + Copy) -> bool {
        // Most databases are empty. An odd distance visits each stripe once, in a different order
        // each time. Going through them one by one would take nearly all keys from the stripes at
        // the start of the next database with keys.
        let (first, distance) = (fastrand::usize(..), fastrand::usize(..) | 1);
        let mut best: Option<(u64, usize, Bytes)> = None;
        let mut seen = 0;
        for step in 0..self.stripes.len() {
            let stripe = first.wrapping_add(step.wrapping_mul(distance)) % self.stripes.len();
            let Some((found, key)) = self.lock(stripe).worst(volatile, rank) else {
                continue;
            };
            if best.as_ref().is_none_or(|(lowest, ..)| found < *lowest) {
                best = Some((found, stripe, key));
            }
            seen += 1;
            if seen == 3 {
                break;
            }
        }
        let Some((_, stripe, key)) = best else {
            return false;
        };
        let mut locked = Locked::one(self, stripe / STRIPES, now, stripe);
        if locked.keys(&key).remove(&key).is_some() {
            locked.record(&[b"DEL", &key]);
        }
        true
    }

    fn memory_changed(&self, before: usize, after: usize) {
        match after.checked_sub(before) {
            Some(0) => {}
            Some(more) => {
                self.memory.fetch_add(more, Ordering::Relaxed);
            }
            None => {
                self.memory.fetch_sub(before - after, Ordering::Relaxed);
            }
        }
    }
}

/// Returns the microseconds since 1970.
#[must_use]
pub fn micros() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |it| u64::try_from(it.as_micros()).unwrap_or(u64::MAX))
}

/// Returns the milliseconds since 1970.
#[must_use]
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX))
}
