//! The keys, which all reactors share.
//!
//! They are divided into stripes by a hash, each under a lock of its own. A command locks the
//! stripes of its keys, in order, runs, and lets them go: it is atomic, whichever reactors it
//! meets, and nobody waits while a lock is held.

mod append_log;
mod backlog;
mod digest;
mod keys;
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
pub use locked::{Locked, Needs, write_command};
pub use slot::View;
pub use snapshot::Snapshot;
pub use sorted_set::SortedSet;
pub use stream::{Consumer, Fields, Group, HIGHEST, Id, Kept, Pending, Stream};
pub use value::{Bytes, Hash, Kind, List, Set, Value};
pub use walks::{Names, Walks};

/// So many stripes hardly meet with as many reactors as there are cores.
pub const STRIPES: usize = 64;
const _: () = assert!(
    (STRIPES * DATABASES).is_power_of_two(),
    "an eviction goes through all of them by an odd distance"
);
/// How many databases there are.
pub const DATABASES: usize = 16;

/// The time of a command that a replica repeats: nothing expires then, as its master says what
/// does.
pub const REPEATED: u64 = 1;

/// All keys.
#[derive(Debug)]
pub struct Store {
    stripes: Box<[Mutex<Keys>]>,
    hasher: DefaultHashBuilder,
    /// Which keys are in one stripe, if not any.
    group_of: OnceLock<fn(&[u8]) -> usize>,
    /// What is written to files.
    pub log: AppendLog,
    /// What replicas are sent.
    pub backlog: Backlog,
    /// Whether this server is a replica, so that only its master changes keys.
    follows: AtomicBool,
    /// Passes over large values.
    pub walks: Walks,
    /// A copy that is being made.
    pub snapshot: Snapshot,
    /// The bytes of all keys, about, as they were when their stripes were let go.
    memory: AtomicUsize,
    /// No key expires before, in milliseconds since 1970; `u64::MAX` if none does.
    first_expiry: AtomicU64,
    /// Whether uses are counted, for LFU.
    pub counts_uses: AtomicBool,
    /// Keys that somebody does not watch any more, and whose stripes were locked then.
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
    /// Whether this server is a replica.
    #[must_use]
    pub fn follows(&self) -> bool {
        self.follows.load(Ordering::Relaxed)
    }

    /// It is one from now on, or is not. No command runs meanwhile.
    pub fn set_follows(&self, follows: bool) {
        self.follows.store(follows, Ordering::Relaxed);
    }

    /// Whether changes are kept for replicas. What a replica repeats is kept as it came.
    fn is_sent(&self) -> bool {
        self.backlog.is_on() && !self.follows()
    }

    /// From now on, keys of one group are in one stripe. There are none yet.
    pub fn group_by(&self, group_of: fn(&[u8]) -> usize) {
        let _ = self.group_of.set(group_of);
    }

    fn stripe_of(&self, db: usize, key: &[u8]) -> usize {
        let number = self.group_of.get().map_or_else(
            || {
                let hash = self.hasher.hash_one(key);
                // The table of a stripe uses the lowest and the highest bits.
                usize::try_from(hash >> 32).unwrap_or_default()
            },
            |group_of| group_of(key),
        );
        db * STRIPES + number % STRIPES
    }

    fn lock(&self, stripe: usize) -> MutexGuard<'_, Keys> {
        // A command that panics has its process started again. Its stripe has what was done before
        // the panic.
        let stripe = &self.stripes[stripe];
        stripe.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the stripe of one key.
    pub fn one(&self, db: usize, key: &[u8], now: u64) -> Locked<'_> {
        let stripe = self.stripe_of(db, key);
        Locked::one(self, db, now, stripe)
    }

    /// Locks the stripes of several keys, always in the same order.
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

    /// One stripe of a database, by its number.
    pub fn stripe(&self, db: usize, number: usize, now: u64) -> Locked<'_> {
        Locked::one(self, db, now, db * STRIPES + number % STRIPES)
    }

    /// Somebody does not watch a key any more. Nobody waits for that: a script may have locked the
    /// key for long.
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

    /// Forgets who has watched keys that were locked then. No script runs now.
    pub fn forget_unwatched(&self) {
        let keys = std::mem::take(&mut *self.unwatched());
        for (db, key) in keys {
            self.lock(self.stripe_of(db, &key)).forget_watched(&key);
        }
    }

    /// How many keys a database has, and how many of them expire.
    #[must_use]
    pub fn counts(&self, db: usize) -> (usize, usize) {
        let stripes = db * STRIPES..(db + 1) * STRIPES;
        stripes.fold((0, 0), |(all, expiring), stripe| {
            let keys = self.lock(stripe);
            (all + keys.len(), expiring + keys.expiring())
        })
    }

    /// The bytes of all keys, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.memory.load(Ordering::Relaxed)
    }

    /// A key expires then. Called while its stripe is locked.
    fn expires_at(&self, time: u64) {
        if time < self.first_expiry.load(Ordering::Relaxed) {
            self.first_expiry.fetch_min(time, Ordering::Relaxed);
        }
    }

    /// Whether a key expires before this time.
    #[must_use]
    pub fn expires_before(&self, time: u64) -> bool {
        self.first_expiry.load(Ordering::Relaxed) < time
    }

    /// Removes what has expired, stripe by stripe. Returns how many. Costs nothing if nothing has.
    pub fn expire(&self, now: u64) -> u64 {
        /// So many keys are removed while a stripe is locked.
        const AT_ONCE: usize = 1000;
        let mut gone = 0;
        if self.follows() || !self.expires_before(now.saturating_add(1)) {
            return 0;
        }
        // Each stripe tells its own first one again when it is let go.
        self.first_expiry.store(u64::MAX, Ordering::Relaxed);
        for stripe in 0..self.stripes.len() {
            let mut locked = Locked::one(self, stripe / STRIPES, now, stripe);
            gone += locked.expire(AT_ONCE);
        }
        gone
    }

    /// Removes one key of all, the one with the lowest rank of some: by its use and its expiry.
    /// Whether there was one.
    pub fn evict(&self, now: u64, volatile: bool, rank: impl Fn(u32, u64) -> u64 + Copy) -> bool {
        // Most databases are empty. With an odd distance each stripe comes once, in another order
        // each time: one after the other, the first ones of the next database would give nearly
        // all.
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

/// Microseconds since 1970.
#[must_use]
pub fn micros() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |it| u64::try_from(it.as_micros()).unwrap_or(u64::MAX))
}

/// Milliseconds since 1970.
#[must_use]
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX))
}
