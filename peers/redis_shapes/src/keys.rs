//! The ways in which reactors can share keys.

use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hashbrown::{DefaultHashBuilder, HashMap};

/// As in examples/redis.
const STRIPES: usize = 64;

type Bytes = Box<[u8]>;
type Table = HashMap<Bytes, Bytes>;

/// The keys, as one reactor accesses them.
pub trait Keys: Send {
    /// Returns the reactor that owns a key, or `None` if this reactor can access it.
    fn owner(&self, key: &[u8]) -> Option<usize>;

    /// Sets the value of a key.
    fn set(&mut self, key: &[u8], value: &[u8]);

    /// Passes a key's value to `found`, and returns its result.
    fn get<R>(&mut self, key: &[u8], found: impl FnOnce(Option<&[u8]>) -> R) -> R;
}

fn put(table: &mut Table, key: &[u8], value: &[u8]) {
    match table.get_mut(key) {
        // A value is usually as long as the previous one.
        Some(old) if old.len() == value.len() => old.copy_from_slice(value),
        Some(old) => *old = value.into(),
        None => {
            table.insert(key.into(), value.into());
        }
    }
}

/// All reactors share all keys, in stripes under locks, as in examples/redis.
pub struct Stripes {
    stripes: Vec<Mutex<Table>>,
    hasher: DefaultHashBuilder,
}

impl Default for Stripes {
    fn default() -> Self {
        let hasher = DefaultHashBuilder::default();
        let table = |_| Mutex::new(Table::with_hasher(hasher.clone()));
        Stripes {
            stripes: (0..STRIPES).map(table).collect(),
            hasher: hasher.clone(),
        }
    }
}

impl Stripes {
    fn of(&self, key: &[u8]) -> MutexGuard<'_, Table> {
        let stripe = part(&self.hasher, key, STRIPES);
        let stripe = self.stripes[stripe].lock();
        stripe.unwrap_or_else(PoisonError::into_inner)
    }
}

impl Keys for Arc<Stripes> {
    fn owner(&self, _: &[u8]) -> Option<usize> {
        None
    }

    fn set(&mut self, key: &[u8], value: &[u8]) {
        put(&mut self.of(key), key, value);
    }

    fn get<R>(&mut self, key: &[u8], found: impl FnOnce(Option<&[u8]>) -> R) -> R {
        found(self.of(key).get(key).map(|value| &**value))
    }
}

/// All reactors share all keys in a lock-free table, as in Garnet.
#[derive(Default)]
pub struct LockFree {
    table: papaya::HashMap<Bytes, Bytes, DefaultHashBuilder>,
}

impl Keys for Arc<LockFree> {
    fn owner(&self, _: &[u8]) -> Option<usize> {
        None
    }

    fn set(&mut self, key: &[u8], value: &[u8]) {
        self.table.pin().insert(key.into(), value.into());
    }

    fn get<R>(&mut self, key: &[u8], found: impl FnOnce(Option<&[u8]>) -> R) -> R {
        found(self.table.pin().get(key).map(|value| &**value))
    }
}

/// Each reactor owns a part of the keys, and sends requests for other keys to their owners, as in
/// Dragonfly.
pub struct Owned {
    own: Table,
    number: usize,
    reactors: usize,
}

impl Owned {
    /// Returns the keys of all reactors.
    pub fn all(reactors: usize) -> impl Iterator<Item = Self> {
        let hasher = DefaultHashBuilder::default();
        (0..reactors).map(move |number| Owned {
            own: Table::with_hasher(hasher.clone()),
            number,
            reactors,
        })
    }
}

impl Keys for Owned {
    fn owner(&self, key: &[u8]) -> Option<usize> {
        let owner = part(self.own.hasher(), key, self.reactors);
        (owner != self.number).then_some(owner)
    }

    fn set(&mut self, key: &[u8], value: &[u8]) {
        put(&mut self.own, key, value);
    }

    fn get<R>(&mut self, key: &[u8], found: impl FnOnce(Option<&[u8]>) -> R) -> R {
        found(self.own.get(key).map(|value| &**value))
    }
}

/// Returns the part that contains a key. It uses bits in the middle of the hash, because a table
/// uses the lowest and the highest ones.
fn part(hasher: &DefaultHashBuilder, key: &[u8], parts: usize) -> usize {
    (hasher.hash_one(key) >> 32) as usize % parts
}
