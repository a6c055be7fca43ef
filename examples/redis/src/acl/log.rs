//! The log of refused requests: ACL LOG.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::store::now;

/// Maximum number of entries, as in redis-server.
const MOST: usize = 128;
/// Milliseconds within which similar refusals are counted in one entry.
const ALIKE: u64 = 60_000;

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// `auth`, `command`, `key` or `channel`.
    pub reason: &'static str,
    /// `toplevel` or `multi`.
    pub context: &'static str,
    /// The command, key or channel that was refused, or the user who failed to log in.
    pub object: String,
    /// Name of the user who made the request.
    pub user: String,
}

/// An entry: a refusal, how often it happened, and the client that caused the last one.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The refusal.
    pub denial: Denial,
    /// How often it happened.
    pub count: usize,
    /// Time of the last refusal in milliseconds since 1970.
    pub time: u64,
    /// The client, as described by CLIENT INFO.
    pub client: String,
}

/// The log, with the latest entry first.
#[derive(Debug, Default)]
pub struct Log(Mutex<VecDeque<Entry>>);

impl Log {
    fn entries(&self) -> MutexGuard<'_, VecDeque<Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a refusal.
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

    /// Returns the latest entries.
    #[must_use]
    pub fn latest(&self, most: usize) -> Vec<Entry> {
        self.entries().iter().take(most).cloned().collect()
    }

    /// Removes all entries.
    pub fn reset(&self) {
        self.entries().clear();
    }
}
