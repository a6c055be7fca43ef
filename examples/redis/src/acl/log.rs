//! What was refused: ACL LOG.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::store::now;

/// As many as redis-server keeps.
const MOST: usize = 128;
/// One that is like another of the last minute counts with it.
const ALIKE: u64 = 60_000;

/// Something that was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// `auth`, `command`, `key` or `channel`.
    pub reason: &'static str,
    /// `toplevel` or `multi`.
    pub context: &'static str,
    /// What it was about.
    pub object: String,
    /// Who asked.
    pub user: String,
}

/// How often, when last, and by which client.
#[derive(Debug, Clone)]
pub struct Entry {
    /// What.
    pub denial: Denial,
    /// How often.
    pub count: usize,
    /// In milliseconds since 1970.
    pub time: u64,
    /// As CLIENT INFO has it.
    pub client: String,
}

/// The latest first.
#[derive(Debug, Default)]
pub struct Log(Mutex<VecDeque<Entry>>);

impl Log {
    fn entries(&self) -> MutexGuard<'_, VecDeque<Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something is refused.
    pub fn add(&self, denial: Denial, client: String) {
        let (mut entries, time) = (self.entries(), now());
        let is_like = |it: &Entry| it.denial == denial && time - it.time.min(time) < ALIKE;
        let known = entries
            .iter()
            .position(is_like)
            .and_then(|at| entries.remove(at));
        let count = known.map_or(1, |it| it.count + 1);
        entries.push_front(Entry {
            denial,
            count,
            time,
            client,
        });
        entries.truncate(MOST);
    }

    /// The latest ones.
    #[must_use]
    pub fn latest(&self, most: usize) -> Vec<Entry> {
        self.entries().iter().take(most).cloned().collect()
    }

    /// Forgets all.
    pub fn reset(&self) {
        self.entries().clear();
    }
}
