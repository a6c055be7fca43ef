//! The keys of one stripe.

mod sampling;

use std::collections::BTreeSet;
use std::hash::BuildHasher;

use hashbrown::hash_table::{Entry, HashTable};
use hashbrown::{DefaultHashBuilder, HashMap};

use super::slot::{Slot, View};
use super::value::{Kind, Value};
use super::watched::Watched;

/// Keys with their values and times of expiry.
#[derive(Debug, Default)]
pub struct Keys {
    hasher: DefaultHashBuilder,
    slots: HashTable<Slot>,
    /// The keys that expire, the earliest first.
    expiring: BTreeSet<(u64, Box<[u8]>)>,
    /// The keys that transactions watch.
    watched: HashMap<Box<[u8]>, Watched>,
    /// Approximate size of all slots in bytes.
    memory: usize,
    /// Number of changes.
    pub(super) changes: u64,
    /// Number of the last copy that includes these keys.
    pub(super) copied: u64,
    /// Stamp for keys that are used now.
    pub(super) stamp: u32,
    /// Keys that had expired at this time are hidden. A replica keeps them until its master removes
    /// them. 0 hides none.
    pub(super) hides: u64,
}

/// Error: the value has another type than requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrongType;

/// Returns whether a key is visible if keys that had expired at `hides` are hidden.
fn is_shown(hides: u64, slot: &Slot) -> bool {
    hides == 0 || !(1..=hides).contains(&slot.expires())
}

impl Keys {
    pub(super) fn new(hasher: DefaultHashBuilder) -> Self {
        Keys {
            hasher,
            ..Keys::default()
        }
    }

    fn slot(&self, key: &[u8]) -> Option<&Slot> {
        let hash = self.hasher.hash_one(key);
        let slot = self.slots.find(hash, |slot| slot.key() == key)?;
        is_shown(self.hides, slot).then_some(slot)
    }

    fn slot_mut(&mut self, key: &[u8]) -> Option<&mut Slot> {
        let (hides, hash) = (self.hides, self.hasher.hash_one(key));
        let slot = self.slots.find_mut(hash, |slot| slot.key() == key)?;
        is_shown(hides, slot).then_some(slot)
    }

    /// Returns a key's value. This counts as a use.
    pub fn get(&mut self, key: &[u8]) -> Option<View<'_>> {
        let stamp = self.stamp;
        let slot = self.slot_mut(key)?;
        if stamp != 0 {
            slot.set_used(super::usage::used(slot.used(), stamp));
        }
        Some(slot.view())
    }

    /// Like `get`, but does not count as a use.
    #[must_use]
    pub fn peek(&self, key: &[u8]) -> Option<View<'_>> {
        Some(self.slot(key)?.view())
    }

    /// Returns whether a key has a value.
    #[must_use]
    pub fn contains(&self, key: &[u8]) -> bool {
        self.slot(key).is_some()
    }

    /// Returns the bytes of a string.
    pub fn string(&mut self, key: &[u8]) -> Result<Option<&[u8]>, WrongType> {
        let view = self.get(key);
        view.map(|it| it.string().ok_or(WrongType)).transpose()
    }

    /// Returns a value of a type.
    pub fn value<K: Kind>(&mut self, key: &[u8]) -> Result<Option<&K>, WrongType> {
        match self.get(key) {
            None => Ok(None),
            Some(View::String(_)) => Err(WrongType),
            Some(View::Value(value)) => K::of(value).map(Some).ok_or(WrongType),
        }
    }

    /// Returns a value of a type for modification. The caller has to call [`Keys::changed`].
    pub fn value_mut<K: Kind>(&mut self, key: &[u8]) -> Result<Option<&mut K>, WrongType> {
        let hash = self.hasher.hash_one(key);
        let Some(slot) = self.slots.find_mut(hash, |slot| slot.key() == key) else {
            return Ok(None);
        };
        if matches!(slot, Slot::Short(_)) {
            if !K::IS_STRING {
                return Err(WrongType);
            }
            self.memory -= slot.memory();
            slot.value_mut();
            self.memory += slot.memory();
        }
        K::of_mut(slot.value_mut()).map(Some).ok_or(WrongType)
    }

    /// Like `value_mut`, but creates an empty value if there is none.
    pub fn value_or_new<K: Kind>(&mut self, key: &[u8]) -> Result<&mut K, WrongType> {
        if !self.contains(key) {
            let slot = Slot::long(key, K::empty(), 0, super::usage::NEW | self.stamp);
            self.insert(slot);
        }
        self.value_mut(key).and_then(|it| it.ok_or(WrongType))
    }

    fn insert(&mut self, slot: Slot) {
        let hasher = &self.hasher;
        self.memory += slot.memory();
        let hash = hasher.hash_one(slot.key());
        self.slots
            .insert_unique(hash, slot, |slot| hasher.hash_one(slot.key()));
    }

    /// Sets a key to a string, with a time of expiry, or 0 for never.
    pub fn set_string(&mut self, key: &[u8], text: &[u8], expires: u64) {
        let used = super::usage::NEW | self.stamp;
        let hasher = &self.hasher;
        let hash = hasher.hash_one(key);
        let entry = self.slots.entry(
            hash,
            |slot| slot.key() == key,
            |slot| hasher.hash_one(slot.key()),
        );
        let mut before = 0;
        match entry {
            Entry::Vacant(vacant) => {
                let slot = Slot::of_string(key, text, expires, used);
                self.memory += slot.memory();
                vacant.insert(slot);
            }
            Entry::Occupied(mut occupied) => {
                let slot = occupied.get_mut();
                before = slot.expires();
                if before != expires || !slot.overwrite(text) {
                    self.memory -= slot.memory();
                    *slot =
                        Slot::of_string(key, text, expires, super::usage::used(slot.used(), used));
                    self.memory += slot.memory();
                }
            }
        }
        self.replan(key, before, expires);
        self.changed_string(key);
    }

    /// Sets a key to a value, with a time of expiry, or 0 for never.
    pub fn set(&mut self, key: &[u8], value: Value, expires: u64) {
        if let Value::String(text) = &value {
            return self.set_string(key, text, expires);
        }
        let used = super::usage::NEW | self.stamp;
        let slot = Slot::long(key, value, expires, used);
        let before = self.slot(key).map_or(0, Slot::expires);
        let now = slot.memory();
        match self.slot_mut(key) {
            None => self.insert(slot),
            Some(place) => {
                let was = std::mem::replace(place, slot).memory();
                self.memory = self.memory + now - was;
            }
        }
        self.replan(key, before, expires);
        self.changed(key);
    }

    /// Removes a key. Returns its value and its time of expiry.
    pub fn remove(&mut self, key: &[u8]) -> Option<(Value, u64)> {
        let slot = self.take(key)?;
        self.changed_string(key);
        let expires = slot.expires();
        Some((slot.into_value(), expires))
    }

    fn take(&mut self, key: &[u8]) -> Option<Slot> {
        let hash = self.hasher.hash_one(key);
        let found = self.slots.find_entry(hash, |slot| slot.key() == key).ok()?;
        let (slot, _) = found.remove();
        self.memory -= slot.memory();
        self.replan(key, slot.expires(), 0);
        Some(slot)
    }

    /// Records that a value was modified, and removes the key if it is an empty container.
    pub fn changed(&mut self, key: &[u8]) {
        let mut is_empty = false;
        let (mut before, mut now) = (0, 0);
        if let Some(slot) = self.slot_mut(key) {
            before = slot.memory();
            if let Slot::Long(long) = slot {
                long.size = long.value.memory();
                is_empty = long.value.is_empty();
            }
            now = slot.memory();
        }
        self.memory = self.memory + now - before;
        if is_empty {
            self.take(key);
        }
        self.changed_string(key);
    }

    /// Removes a container that was created but not filled.
    pub fn discard_if_empty(&mut self, key: &[u8]) {
        if let Some(View::Value(value)) = self.peek(key)
            && value.is_empty()
        {
            self.take(key);
        }
    }

    fn changed_string(&mut self, key: &[u8]) {
        self.changes += 1;
        if !self.watched.is_empty()
            && let Some(watched) = self.watched.get_mut(key)
        {
            watched.changed();
        }
    }

    /// Returns the time of expiry in milliseconds since 1970; 0 if the key does not expire.
    #[must_use]
    pub fn expiry(&self, key: &[u8]) -> u64 {
        self.slot(key).map_or(0, Slot::expires)
    }

    /// Sets the time of expiry; 0 for never.
    pub fn set_expiry(&mut self, key: &[u8], expires: u64) {
        let Some(slot) = self.slot_mut(key) else {
            return;
        };
        let (before, was) = (slot.expires(), slot.memory());
        slot.set_expires(expires);
        let now = slot.memory();
        self.memory = self.memory + now - was;
        self.replan(key, before, expires);
        self.changed_string(key);
    }

    fn replan(&mut self, key: &[u8], before: u64, now: u64) {
        if before == now {
            return;
        }
        if before != 0 {
            self.expiring.remove(&(before, key.into()));
        }
        if now != 0 {
            self.expiring.insert((now, key.into()));
        }
    }

    /// Returns whether the key has expired.
    pub(super) fn is_over(&self, key: &[u8], now: u64) -> bool {
        let first = self.expiring.first();
        first.is_some_and(|(first, _)| *first <= now) && (1..=now).contains(&self.expiry(key))
    }

    /// Removes and returns at most `most` expired keys.
    pub(super) fn expire(&mut self, now: u64, most: usize) -> Vec<Box<[u8]>> {
        let mut gone = Vec::new();
        while gone.len() < most
            && let Some((expires, _)) = self.expiring.first()
            && *expires <= now
            && let Some((_, key)) = self.expiring.pop_first()
        {
            self.take(&key);
            self.changed_string(&key);
            gone.push(key);
        }
        gone
    }

    /// Returns the number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns whether there are no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns the earliest time of expiry; `u64::MAX` if no key expires.
    pub(super) fn first_expiry(&self) -> u64 {
        self.expiring.first().map_or(u64::MAX, |(first, _)| *first)
    }

    /// Returns the number of keys that expire.
    #[must_use]
    pub fn expiring(&self) -> usize {
        self.expiring.len()
    }

    /// Returns the approximate size of the keys and values in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        /// A slot, its byte in the table, and a share of the table's free space.
        const IN_TABLE: usize = size_of::<Slot>() + 1;
        self.memory + self.slots.capacity() * IN_TABLE
    }

    /// Returns the approximate size of a key with its value in bytes.
    #[must_use]
    pub fn memory_of(&self, key: &[u8]) -> Option<usize> {
        Some(self.slot(key)?.memory() + size_of::<Slot>())
    }

    /// Returns the last use of a key.
    #[must_use]
    pub fn used(&self, key: &[u8]) -> u32 {
        self.slot(key).map_or(0, Slot::used)
    }

    /// Iterates over all keys with their values and times.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], View<'_>, u64)> {
        let hides = self.hides;
        let shown = self.slots.iter();
        let shown = shown.filter(move |slot| is_shown(hides, slot));
        shown.map(|slot| (slot.key(), slot.view(), slot.expires()))
    }

    /// Returns the hash of a key, which orders the keys for SCAN.
    #[must_use]
    pub fn hash(&self, key: &[u8]) -> u64 {
        self.hasher.hash_one(key)
    }

    /// Removes all keys.
    pub fn clear(&mut self) {
        let gone = std::mem::take(&mut self.slots);
        self.expiring.clear();
        self.memory = 0;
        self.changes += 1;
        for slot in &gone {
            if let Some(watched) = self.watched.get_mut(slot.key()) {
                watched.changed();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_gone_when_its_time_is_over() {
        let mut keys = Keys::default();
        keys.set_string(b"a", b"1", 0);
        keys.set_expiry(b"a", 100);
        keys.set_expiry(b"a", 200);
        assert!(keys.expire(199, 9).is_empty() && keys.contains(b"a"));
        assert_eq!(keys.expire(200, 9).len(), 1);
        assert!(keys.is_empty() && keys.expiring.is_empty());
        assert_eq!(keys.memory, 0);
    }

    #[test]
    fn a_new_value_does_not_expire() {
        let mut keys = Keys::default();
        keys.set_string(b"a", b"1", 100);
        keys.set_string(b"a", b"2", 0);
        assert!(!keys.is_over(b"a", 100) && keys.expiring.is_empty());
    }
}
