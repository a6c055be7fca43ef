//! A clause that one thread writes and others read.

use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{LibraryModules, RunningClause, without_callback};

/// The address of a running clause. A write is one store without a lock. The reader looks for the
/// clause with this address.
pub(in crate::runtime) struct SharedClause(AtomicUsize);

impl SharedClause {
    pub(in crate::runtime) const fn new() -> Self {
        SharedClause(AtomicUsize::new(0))
    }

    #[inline]
    pub(in crate::runtime) fn set(&self, clause: &'static RunningClause) {
        self.0
            .store(ptr::from_ref(clause).addr(), Ordering::Relaxed);
    }

    /// Returns the clause, if one was set.
    pub(in crate::runtime) fn get(&self) -> Option<&'static RunningClause> {
        let address = self.0.load(Ordering::Relaxed);
        let of_callback = LibraryModules::get().clause_at(address);
        of_callback.or_else(|| without_callback::at(address))
    }
}
