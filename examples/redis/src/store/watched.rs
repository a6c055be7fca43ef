//! What WATCH has asked to be told of.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The transactions that wait for a key.
#[derive(Debug, Default)]
pub struct Watched(Vec<Arc<AtomicBool>>);

impl Watched {
    /// The flag is set when the key changes. Others that nobody has any more are dropped.
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

    /// Whether nobody waits.
    pub(super) fn is_unused(&mut self) -> bool {
        self.0.retain(|it| Arc::strong_count(it) > 1);
        self.0.is_empty()
    }
}
