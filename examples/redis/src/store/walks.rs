//! Passes of HSCAN and its kin over large values.
//!
//! A step goes by the hashes of elements, and a table has no order by them. So the first step of a
//! pass sorts the names, and keeps them for the others: a pass costs as much as reading its value a
//! few times, and not once for each step. What is kept may be thrown away at any time: it is made
//! again from what is there then, which has all that was there since the beginning.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Bytes;

/// So many passes are kept.
const KEPT: usize = 16;
/// So many names are kept together.
const NAMES: usize = 1 << 22;
/// A pass that has not gone on for so long is forgotten, in milliseconds.
const IDLE: u64 = 60_000;

/// The names of a value, by the parts of their hashes.
#[derive(Debug, Default)]
pub struct Names(Vec<(u64, Bytes)>);

impl Names {
    /// Sorts them.
    #[must_use]
    pub fn sorted(mut names: Vec<(u64, Bytes)>) -> Self {
        names.sort_unstable_by_key(|(part, _)| *part);
        Names(names)
    }

    /// Those of some parts.
    pub fn of(&self, parts: &std::ops::Range<u64>) -> impl Iterator<Item = &[u8]> {
        let at = |part| self.0.partition_point(|(of, _)| *of < part);
        let found = &self.0[at(parts.start)..at(parts.end).max(at(parts.start))];
        found.iter().map(|(_, name)| &**name)
    }
}

/// A pass over a key's value.
#[derive(Debug)]
struct Walk {
    db: usize,
    key: Bytes,
    names: Arc<Names>,
    used: u64,
}

/// The passes that go on.
#[derive(Debug, Default)]
pub struct Walks(Mutex<Vec<Walk>>);

impl Walks {
    fn all(&self) -> MutexGuard<'_, Vec<Walk>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The names that a pass has kept.
    pub fn find(&self, db: usize, key: &[u8], now: u64) -> Option<Arc<Names>> {
        let mut all = self.all();
        let walk = all.iter_mut().find(|it| it.db == db && *it.key == *key)?;
        walk.used = now;
        Some(Arc::clone(&walk.names))
    }

    /// Keeps the names of a pass.
    pub fn keep(&self, db: usize, key: &[u8], names: &Arc<Names>, now: u64) {
        let mut all = self.all();
        all.retain(|it| it.db != db || *it.key != *key);
        all.push(Walk {
            db,
            key: key.into(),
            names: Arc::clone(names),
            used: now,
        });
        let is_much = |all: &Vec<Walk>| {
            let count: usize = all.iter().map(|it| it.names.0.len()).sum();
            all.len() > KEPT || count > NAMES
        };
        // The last one stays, however large it is.
        while all.len() > 1 && is_much(&all) {
            all.remove(0);
        }
    }

    /// A pass is at its end.
    pub fn forget(&self, db: usize, key: &[u8]) {
        self.all().retain(|it| it.db != db || *it.key != *key);
    }

    /// Forgets the passes that do not go on.
    pub fn forget_idle(&self, now: u64) {
        self.all().retain(|it| now.saturating_sub(it.used) < IDLE);
    }
}
