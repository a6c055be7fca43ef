//! The ways to have keys.

use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hashbrown::{DefaultHashBuilder, HashMap};

/// As many as examples/redis has.
const STRIPES: usize = 64;

type Bytes = Box<[u8]>;
type Table = HashMap<Bytes, Bytes>;

/// What a reactor has of the keys.
pub trait Keys: Send {
    /// The reactor that has a key. `None` if this one reaches it.
    fn owner(&self, key: &[u8]) -> Option<usize>;

    /// Gives a key a value.
    fn set(&mut self, key: &[u8], value: &[u8]);

    /// What `found` makes of a key's value.
    fn get<R>(&mut self, key: &[u8], found: impl FnOnce(Option<&[u8]>) -> R) -> R;
}

fn put(table: &mut Table, key: &[u8], value: &[u8]) {
    match table.get_mut(key) {
        // Most often a value is as long as the one before.
        Some(old) if old.len() == value.len() => old.copy_from_slice(value),
        Some(old) => *old = value.into(),
        None => {
            table.insert(key.into(), value.into());
        }
    }
}

/// All reactors share all keys, in stripes under locks: what examples/redis does.
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

/// All reactors share all keys, and nobody waits for a lock: Garnet's way.
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

/// A reactor has its own keys, and asks the others for theirs: Dragonfly's way.
pub struct Owned {
    own: Table,
    number: usize,
    reactors: usize,
}

impl Owned {
    /// Those of all reactors.
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

/// Which one of so many parts a key is in. A table uses the lowest and the highest bits.
fn part(hasher: &DefaultHashBuilder, key: &[u8], parts: usize) -> usize {
    (hasher.hash_one(key) >> 32) as usize % parts
}
