//! Passes of HSCAN, SSCAN and ZSCAN over large values.
//!
//! A step needs the elements in the order of their hashes, but a table does not have this order. So
//! the first step of a pass sorts the names and keeps them for the next steps. A whole pass then
//! costs as much as reading the value a few times, instead of once for each step. The names can be
//! dropped at any time: they are computed again from the present elements, which include all that
//! existed during the whole pass.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Bytes;

/// Maximum number of passes that are kept.
const KEPT: usize = 16;
/// Maximum number of names in all passes.
const NAMES: usize = 1 << 22;
/// Milliseconds after which an idle pass is dropped.
const IDLE: u64 = 60_000;

/// The names of a value's elements, sorted by the part of their hash.
#[derive(Debug, Default)]
pub struct Names(Vec<(u64, Bytes)>);

impl Names {
    /// Sorts names.
    #[must_use]
    pub fn sorted(mut names: Vec<(u64, Bytes)>) -> Self {
        names.sort_unstable_by_key(|(part, _)| *part);
        Names(names)
    }

    /// Returns the names in some parts.
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

/// The passes in progress.
#[derive(Debug, Default)]
pub struct Walks(Mutex<Vec<Walk>>);

impl Walks {
    fn all(&self) -> MutexGuard<'_, Vec<Walk>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the names of a pass, if they are kept.
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
        // The newest pass is kept, whatever its size.
        while all.len() > 1 && is_much(&all) {
            all.remove(0);
        }
    }

    /// Removes a pass that is complete.
    pub fn forget(&self, db: usize, key: &[u8]) {
        self.all().retain(|it| it.db != db || *it.key != *key);
    }

    /// Drops idle passes.
    pub fn forget_idle(&self, now: u64) {
        self.all().retain(|it| now.saturating_sub(it.used) < IDLE);
    }
}
