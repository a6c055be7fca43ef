//! The keys, which all reactors share.
//!
//! They are divided into stripes by a hash, each under a lock of its own. A command locks the stripes of its keys, in order, runs,
//! and lets them go: it is atomic, whichever reactors it meets, and nobody waits while a lock is held.

mod keys;
mod sorted_set;
mod value;

use std::hash::BuildHasher;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use hashbrown::DefaultHashBuilder;

pub use keys::Keys;
pub use sorted_set::SortedSet;
pub use value::{Bytes, Kind, Value};

/// So many stripes hardly meet with as many reactors as there are cores.
const STRIPES: usize = 64;

/// All keys.
#[derive(Debug)]
pub struct Store {
    stripes: Box<[Mutex<Keys>]>,
    hasher: DefaultHashBuilder,
}

impl Default for Store {
    fn default() -> Self {
        Store {
            stripes: (0..STRIPES).map(|_| Mutex::default()).collect(),
            hasher: DefaultHashBuilder::default(),
        }
    }
}

impl Store {
    fn stripe_of(&self, key: &[u8]) -> usize {
        let hash = self.hasher.hash_one(key);
        // The table of a stripe uses the lowest and the highest bits.
        usize::try_from(hash >> 32).unwrap_or_default() % STRIPES
    }

    fn lock(&self, stripe: usize) -> MutexGuard<'_, Keys> {
        // A command that panics has its process started again. Its stripe has what was done before the panic.
        let stripe = &self.stripes[stripe];
        stripe.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the stripe of one key.
    pub fn one(&self, key: &[u8]) -> Locked<'_> {
        let stripe = self.stripe_of(key);
        Locked {
            store: self,
            now: now(),
            stripes: Stripes::One(stripe, self.lock(stripe)),
        }
    }

    /// Locks the stripes of several keys, always in the same order.
    pub fn several<'k>(&self, keys: impl Iterator<Item = &'k [u8]>) -> Locked<'_> {
        let mut stripes: Vec<usize> = keys.map(|key| self.stripe_of(key)).collect();
        stripes.sort_unstable();
        stripes.dedup();
        let locked = stripes
            .into_iter()
            .map(|stripe| (stripe, self.lock(stripe)));
        Locked {
            store: self,
            now: now(),
            stripes: Stripes::Several(locked.collect()),
        }
    }

    /// Locks everything.
    pub fn all(&self) -> Locked<'_> {
        let locked = (0..STRIPES).map(|stripe| (stripe, self.lock(stripe)));
        Locked {
            store: self,
            now: now(),
            stripes: Stripes::Several(locked.collect()),
        }
    }

    /// How many keys there are.
    #[must_use]
    pub fn len(&self) -> usize {
        let now = now();
        let stripes = 0..STRIPES;
        stripes.map(|stripe| self.lock(stripe).live(now)).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes what has expired, stripe by stripe.
    pub fn expire(&self) {
        let now = now();
        for stripe in 0..STRIPES {
            self.lock(stripe).expire(now);
        }
    }
}

/// The stripes that a command has locked.
pub struct Locked<'s> {
    store: &'s Store,
    /// The time of the command, in milliseconds since 1970.
    pub now: u64,
    stripes: Stripes<'s>,
}

enum Stripes<'s> {
    One(usize, MutexGuard<'s, Keys>),
    Several(Vec<(usize, MutexGuard<'s, Keys>)>),
}

impl Locked<'_> {
    /// The stripe of a key, without what has expired of it.
    ///
    /// # Panics
    /// If the command has not locked it: the table of commands says which of its arguments are keys.
    pub fn keys(&mut self, key: &[u8]) -> &mut Keys {
        let stripe = self.store.stripe_of(key);
        let keys = match &mut self.stripes {
            Stripes::One(locked, keys) if *locked == stripe => keys,
            Stripes::One(..) => panic!("a command uses a key that is not one of its keys"),
            Stripes::Several(all) => {
                let found = all.binary_search_by_key(&stripe, |(locked, _)| *locked);
                &mut all[found.expect("a command uses its keys")].1
            }
        };
        keys.expire_key(key, self.now);
        keys
    }

    /// All stripes that are locked.
    pub fn each(&mut self) -> impl Iterator<Item = &mut Keys> {
        let (one, several) = match &mut self.stripes {
            Stripes::One(_, keys) => (Some(&mut **keys), None),
            Stripes::Several(all) => (None, Some(all)),
        };
        let several = several.into_iter().flatten().map(|(_, keys)| &mut **keys);
        one.into_iter().chain(several)
    }
}

/// Milliseconds since 1970.
#[must_use]
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX))
}

/// How many stripes there are: the cursors of SCAN.
#[must_use]
pub const fn stripes() -> usize {
    STRIPES
}

impl Store {
    /// One stripe, by its number.
    #[must_use]
    pub fn stripe(&self, stripe: usize) -> Option<MutexGuard<'_, Keys>> {
        let is_one = stripe < STRIPES;
        is_one.then(|| {
            let mut keys = self.lock(stripe);
            keys.expire(now());
            keys
        })
    }
}
