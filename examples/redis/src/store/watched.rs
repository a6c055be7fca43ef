//! Watches of keys (WATCH).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The flags of the transactions that watch a key.
#[derive(Debug, Default)]
pub struct Watched(Vec<Arc<AtomicBool>>);

impl Watched {
    /// Adds a flag to be set when the key changes. Removes flags whose transactions have ended.
    pub fn add(&mut self, flag: &Arc<AtomicBool>) {
        self.0.retain(|it| Arc::strong_count(it) > 1);
        if !self.0.iter().any(|it| Arc::ptr_eq(it, flag)) {
            self.0.push(Arc::clone(flag));
        }
    }

    pub(super) fn changed(&mut self) {
        self.0
            .drain(..)
            .for_each(|flag| flag.store(true, Ordering::Release));
    }

    /// Returns whether no transaction watches the key.
    pub(super) fn is_unused(&mut self) -> bool {
        self.0.retain(|it| Arc::strong_count(it) > 1);
        self.0.is_empty()
    }
}
