//! Atomics and locks for data that threads share. Tests with loom use loom's types, which try all
//! interleavings (`cfg(loom)`).

#[cfg(all(loom, test))]
pub(crate) use loom::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicUsize, Ordering},
};
#[cfg(not(all(loom, test)))]
pub(crate) use std::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicUsize, Ordering},
};

/// A point between two accesses where another thread may run. loom knows these points for its own
/// types, but not for the count of an `Arc`.
#[inline]
pub(crate) fn others_may_run() {
    #[cfg(all(loom, test))]
    loom::thread::yield_now();
}
