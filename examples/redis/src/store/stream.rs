//! Streams: entries ordered by their ids, and groups of consumers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::value::Bytes;

/// The id of an entry: milliseconds since 1970, and a number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Id {
    /// Milliseconds since 1970.
    pub time: u64,
    /// Number of the entry within the millisecond.
    pub number: u64,
}

/// The highest id.
pub const HIGHEST: Id = Id {
    time: u64::MAX,
    number: u64::MAX,
};

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.time, self.number)
    }
}

impl Id {
    /// Creates an id.
    #[must_use]
    pub fn new(time: u64, number: u64) -> Self {
        Id { time, number }
    }

    /// Returns the id after this one.
    #[must_use]
    pub fn next(self) -> Option<Self> {
        match self.number.checked_add(1) {
            Some(number) => Some(Id::new(self.time, number)),
            None => Some(Id::new(self.time.checked_add(1)?, 0)),
        }
    }

    /// Returns the id before this one.
    #[must_use]
    pub fn before(self) -> Option<Self> {
        match self.number.checked_sub(1) {
            Some(number) => Some(Id::new(self.time, number)),
            None => Some(Id::new(self.time.checked_sub(1)?, u64::MAX)),
        }
    }
}

/// The fields and values of an entry, alternating.
pub type Fields = Vec<Bytes>;

/// A stream.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Stream {
    /// The entries.
    pub entries: BTreeMap<Id, Fields>,
    /// The highest id that was assigned.
    pub last: Id,
    /// The highest id of an entry that was deleted by its id.
    pub deleted: Id,
    /// Number of entries that were ever added.
    pub added: u64,
    /// The groups.
    pub groups: BTreeMap<Bytes, Group>,
}

/// A group of consumers.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Group {
    /// The id of the last entry that was delivered.
    pub last: Id,
    /// Number of entries that were delivered, if it is known.
    pub read: Option<u64>,
    /// The entries that were delivered but not acknowledged.
    pub pending: BTreeMap<Id, Pending>,
    /// The consumers.
    pub consumers: BTreeMap<Bytes, Consumer>,
}

/// An entry that was delivered but not acknowledged.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Pending {
    /// The consumer that has the entry.
    pub consumer: Bytes,
    /// Time of the last delivery in milliseconds since 1970.
    pub time: u64,
    /// Number of deliveries.
    pub count: u64,
}

/// A consumer.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Consumer {
    /// Time of the last request in milliseconds since 1970.
    pub seen: u64,
    /// The ids of the consumer's unacknowledged entries.
    pub pending: BTreeSet<Id>,
}

/// The entries that XTRIM keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// The last entries, up to this number.
    Length(u64),
    /// The entries from this id on.
    From(Id),
}

impl Stream {
    /// Returns the id of the first entry.
    #[must_use]
    pub fn first(&self) -> Option<Id> {
        self.entries.keys().next().copied()
    }

    /// Adds an entry after the last one.
    pub fn add(&mut self, id: Id, fields: Fields) {
        self.entries.insert(id, fields);
        self.last = id;
        self.added += 1;
    }

    /// Removes an entry. Returns whether it existed.
    pub fn delete(&mut self, id: Id) -> bool {
        let was = self.entries.remove(&id).is_some();
        if was {
            self.deleted = self.deleted.max(id);
        }
        was
    }

    /// Removes the first entries. With `about`, removes only whole hundreds, and no more than that
    /// number. Returns how many.
    pub fn trim(&mut self, kept: Kept, about: Option<u64>) -> u64 {
        /// Number of entries in a node of redis-server.
        const NODE: u64 = 100;
        let len = u64::try_from(self.entries.len()).unwrap_or(u64::MAX);
        let mut goes = match kept {
            Kept::Length(most) => len.saturating_sub(most),
            Kept::From(id) => {
                let before = self.entries.range(..id).count();
                u64::try_from(before).unwrap_or(u64::MAX)
            }
        };
        if let Some(most) = about {
            goes = goes.min(most);
            // The last node may have fewer entries.
            if goes < len {
                goes -= goes % NODE;
            }
        }
        for _ in 0..goes {
            self.entries.pop_first();
        }
        goes
    }

    /// Returns how many entries came up to an id, of all that were ever added, if that can be told.
    #[must_use]
    pub fn distance(&self, id: Id) -> Option<u64> {
        if self.added == 0 {
            return Some(0);
        }
        if self.entries.is_empty() && id <= self.last {
            return Some(self.added);
        }
        if id != Id::default() && id < self.deleted {
            return None;
        }
        if id == self.last {
            return Some(self.added);
        }
        let first = self.first()?;
        let has_gaps = self.deleted != Id::default() && self.deleted >= first;
        if id > self.last || has_gaps {
            return None;
        }
        let len = u64::try_from(self.entries.len()).unwrap_or(u64::MAX);
        let before = self.added.saturating_sub(len);
        match id.cmp(&first) {
            std::cmp::Ordering::Less => Some(before),
            std::cmp::Ordering::Equal => Some(before + 1),
            std::cmp::Ordering::Greater => None,
        }
    }

    /// Returns whether entries were deleted by their ids, from an id on.
    #[must_use]
    pub fn has_gaps(&self, from: Id) -> bool {
        let first = self.first().filter(|_| self.deleted != Id::default());
        first.is_some_and(|first| first <= self.deleted && from <= self.deleted)
    }

    /// Returns how many entries a group still has to read, if that can be told.
    #[must_use]
    pub fn lag(&self, group: &Group) -> Option<i64> {
        if self.added == 0 {
            return Some(0);
        }
        let read = match group.read.filter(|_| !self.has_gaps(group.last)) {
            Some(read) => read,
            None => self.distance(group.last)?,
        };
        // A client may have set a number of read entries that is too high.
        Some(self.added.wrapping_sub(read).cast_signed())
    }

    /// Returns the approximate size in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        /// Sizes of an entry and of each of its words.
        const ENTRY: usize = 64;
        const WORD: usize = 24;
        let some = self.entries.values().take(5);
        let size = |fields: &Fields| -> usize {
            ENTRY + fields.iter().map(|it| it.len() + WORD).sum::<usize>()
        };
        let (seen, bytes) = some.fold((0, 0), |(seen, bytes), it| (seen + 1, bytes + size(it)));
        let pending: usize = self.groups.values().map(|it| it.pending.len()).sum();
        self.entries.len() * bytes / seen.max(1) + pending * 2 * ENTRY
    }
}

impl Group {
    /// Returns a consumer, which is created if necessary, and whether it was created.
    pub fn consumer(&mut self, name: &[u8], now: u64) -> (&mut Consumer, bool) {
        let is_new = !self.consumers.contains_key(name);
        let consumer = self.consumers.entry(name.into()).or_default();
        consumer.seen = now;
        (consumer, is_new)
    }

    /// Delivers an entry to an existing consumer.
    pub fn deliver(&mut self, id: Id, consumer: &[u8], time: u64, count: u64) {
        self.forget(id);
        let pending = Pending {
            consumer: consumer.into(),
            time,
            count,
        };
        self.pending.insert(id, pending);
        if let Some(consumer) = self.consumers.get_mut(consumer) {
            consumer.pending.insert(id);
        }
    }

    /// Removes a pending entry that was acknowledged or deleted. Returns whether it was pending.
    pub fn forget(&mut self, id: Id) -> bool {
        let Some(pending) = self.pending.remove(&id) else {
            return false;
        };
        if let Some(consumer) = self.consumers.get_mut(&pending.consumer) {
            consumer.pending.remove(&id);
        }
        true
    }

    /// Removes a consumer. Returns how many unacknowledged entries it had.
    pub fn remove_consumer(&mut self, name: &[u8]) -> usize {
        let Some(consumer) = self.consumers.remove(name) else {
            return 0;
        };
        for id in &consumer.pending {
            self.pending.remove(id);
        }
        consumer.pending.len()
    }
}
