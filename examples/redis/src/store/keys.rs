//! The keys of a stripe.

use std::collections::BTreeSet;

use hashbrown::HashMap;

use super::value::Value;

/// Keys with their values, and when they expire.
#[derive(Debug, Default)]
pub struct Keys {
    entries: HashMap<Box<[u8]>, Entry>,
    /// The keys that expire, the first one first.
    expiring: BTreeSet<(u64, Box<[u8]>)>,
}

#[derive(Debug)]
struct Entry {
    value: Value,
    /// Milliseconds since 1970; 0 if it does not expire.
    expires: u64,
}

impl Keys {
    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &[u8]) -> Option<&Value> {
        Some(&self.entries.get(key)?.value)
    }

    /// The same, to be changed. Who empties it calls [`Keys::remove_empty`].
    pub fn get_mut(&mut self, key: &[u8]) -> Option<&mut Value> {
        Some(&mut self.entries.get_mut(key)?.value)
    }

    /// The value of a key, which is made if it is not there.
    pub fn get_or(&mut self, key: &[u8], new: impl FnOnce() -> Value) -> &mut Value {
        let entry = self.entries.entry_ref(key);
        let entry = entry.or_insert_with(|| Entry {
            value: new(),
            expires: 0,
        });
        &mut entry.value
    }

    /// Gives a key a value, which does not expire.
    pub fn set(&mut self, key: &[u8], value: Value) {
        self.set_keeping(key, value);
        self.set_expiry(key, 0);
    }

    /// Gives a key a value, and leaves when it expires.
    pub fn set_keeping(&mut self, key: &[u8], value: Value) {
        match self.entries.get_mut(key) {
            Some(entry) => entry.value = value,
            None => {
                self.entries.insert(key.into(), Entry { value, expires: 0 });
            }
        }
    }

    /// Removes a key. Returns its value and when it would have expired.
    pub fn remove(&mut self, key: &[u8]) -> Option<(Value, u64)> {
        let (key, entry) = self.entries.remove_entry(key)?;
        if entry.expires != 0 {
            self.expiring.remove(&(entry.expires, key));
        }
        Some((entry.value, entry.expires))
    }

    /// Removes a key whose value has become empty.
    pub fn remove_empty(&mut self, key: &[u8]) {
        if self.get(key).is_some_and(Value::is_empty) {
            self.remove(key);
        }
    }

    /// When a key expires, in milliseconds since 1970; 0 if it does not.
    #[must_use]
    pub fn expiry(&self, key: &[u8]) -> u64 {
        self.entries.get(key).map_or(0, |entry| entry.expires)
    }

    /// The key expires then, or never if that is 0.
    pub fn set_expiry(&mut self, key: &[u8], expires: u64) {
        let Some(entry) = self.entries.get_mut(key) else {
            return;
        };
        if entry.expires != 0 {
            self.expiring.remove(&(entry.expires, key.into()));
        }
        entry.expires = expires;
        if expires != 0 {
            self.expiring.insert((expires, key.into()));
        }
    }

    /// Removes the key if its time is over.
    pub fn expire_key(&mut self, key: &[u8], now: u64) {
        if !self.expiring.is_empty() && (1..=now).contains(&self.expiry(key)) {
            self.remove(key);
        }
    }

    /// Removes the keys whose time is over.
    pub fn expire(&mut self, now: u64) {
        while let Some((expires, key)) = self.expiring.pop_first() {
            if expires > now {
                self.expiring.insert((expires, key));
                return;
            }
            self.entries.remove(&key);
        }
    }

    /// How many have not expired.
    pub(super) fn live(&mut self, now: u64) -> usize {
        self.expire(now);
        self.entries.len()
    }

    /// All keys with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &Value)> {
        self.entries
            .iter()
            .map(|(key, entry)| (&**key, &entry.value))
    }

    /// Removes all.
    pub fn clear(&mut self) {
        *self = Keys::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_gone_when_its_time_is_over() {
        let mut keys = Keys::default();
        keys.set(b"a", Value::String(vec![1]));
        keys.set_expiry(b"a", 100);
        keys.set_expiry(b"a", 200);
        keys.expire(199);
        assert!(keys.get(b"a").is_some());
        keys.expire(200);
        assert!(keys.get(b"a").is_none());
        assert!(keys.expiring.is_empty());
    }

    #[test]
    fn a_new_value_does_not_expire() {
        let mut keys = Keys::default();
        keys.set(b"a", Value::String(vec![1]));
        keys.set_expiry(b"a", 100);
        keys.set(b"a", Value::String(vec![2]));
        keys.expire_key(b"a", 100);
        assert!(keys.get(b"a").is_some());
        assert!(keys.expiring.is_empty());
    }
}
