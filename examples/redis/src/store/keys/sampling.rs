//! Random samples of keys, their last use, keys that transactions watch, and swapping databases.

use super::super::slot::Slot;
use super::super::watched::Watched;
use super::Keys;

impl Keys {
    /// Returns the transactions that watch a key, to add one.
    pub fn watch(&mut self, key: &[u8]) -> &mut Watched {
        self.watched.entry_ref(key).or_default()
    }

    /// Forgets a key that no transaction watches any more.
    pub fn forget_watched(&mut self, key: &[u8]) {
        if self.watched.get_mut(key).is_some_and(Watched::is_unused) {
            self.watched.remove(key);
        }
    }

    /// Returns the key with the lowest rank of a random sample.
    pub(in crate::store) fn worst(
        &self,
        volatile: bool,
        rank: impl Fn(u32, u64) -> u64,
    ) -> Option<(u64, Box<[u8]>)> {
        /// Size of the sample, as in Redis.
        const LOOKED_AT: usize = 5;
        if volatile && self.expiring.is_empty() || self.slots.is_empty() {
            return None;
        }
        let buckets = self.slots.num_buckets();
        let mut best: Option<(u64, &Slot)> = None;
        let (mut seen, mut tried) = (0, 0);
        while seen < LOOKED_AT && tried < buckets.min(1000) * 2 {
            tried += 1;
            let Some(slot) = self.slots.get_bucket(fastrand::usize(..buckets)) else {
                continue;
            };
            if volatile && slot.expires() == 0 {
                continue;
            }
            seen += 1;
            let rank = rank(slot.used(), slot.expires());
            if best.is_none_or(|(lowest, _)| rank < lowest) {
                best = Some((rank, slot));
            }
        }
        best.map(|(rank, slot)| (rank, slot.key().into()))
    }

    /// Sets the last use of a key.
    pub fn set_used(&mut self, key: &[u8], used: u32) {
        if let Some(slot) = self.slot_mut(key) {
            slot.set_used(used);
        }
    }

    /// Swaps the keys with those of another database. Transactions that watch a key which is in one
    /// of the databases find it changed.
    pub(in crate::store) fn swap(&mut self, other: &mut Keys, now: u64) {
        let has = |keys: &Keys, key: &[u8]| keys.contains(key) && !keys.is_over(key, now);
        let watched = self.watched.keys().chain(other.watched.keys());
        let changed = watched.filter(|key| has(self, key) || has(other, key));
        let changed: Vec<Box<[u8]>> = changed.cloned().collect();
        std::mem::swap(&mut self.slots, &mut other.slots);
        std::mem::swap(&mut self.expiring, &mut other.expiring);
        std::mem::swap(&mut self.memory, &mut other.memory);
        for keys in [self, other] {
            keys.changes += 1;
            for key in &changed {
                if let Some(watched) = keys.watched.get_mut(key) {
                    watched.changed();
                }
            }
        }
    }

    /// Returns a random key.
    #[must_use]
    pub fn random(&self) -> Option<&[u8]> {
        let skipped = fastrand::usize(..self.slots.len().max(1));
        self.slots.iter().nth(skipped).map(Slot::key)
    }
}
