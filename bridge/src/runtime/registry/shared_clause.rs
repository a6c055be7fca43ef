//! A clause that one thread writes and others read.

use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{ClauseEntry, LibraryModules, RunningClause, without_callback};

/// The addresses of a callback and its clause. A write is two stores without a lock. The reader
/// looks for the clause with these addresses. If it reads between the two stores, it finds a
/// callback without its clause.
pub(in crate::runtime) struct SharedClause {
    callback: AtomicUsize,
    clause: AtomicUsize,
}

impl SharedClause {
    pub(in crate::runtime) const fn new() -> Self {
        SharedClause {
            callback: AtomicUsize::new(0),
            clause: AtomicUsize::new(0),
        }
    }

    #[inline]
    pub(in crate::runtime) fn set(&self, running: &RunningClause) {
        let (callback, clause) = (
            ptr::from_ref(running.callback),
            ptr::from_ref(running.clause),
        );
        self.callback.store(callback.addr(), Ordering::Relaxed);
        self.clause.store(clause.addr(), Ordering::Relaxed);
    }

    /// Returns the clause, if one was set.
    pub(in crate::runtime) fn get(&self) -> Option<RunningClause> {
        let callback = self.callback.load(Ordering::Relaxed);
        let address = self.clause.load(Ordering::Relaxed);
        let Some(of) = LibraryModules::get().callback_at(callback) else {
            return without_callback::at(callback, address);
        };
        let running = RunningClause::before_a_clause(of);
        let mut clauses = running.callback.clauses.iter();
        let clause = clauses.find(|entry| ptr::from_ref::<ClauseEntry>(entry).addr() == address);
        Some(RunningClause {
            clause: clause.unwrap_or(running.clause),
            ..running
        })
    }
}
