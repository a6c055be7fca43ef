//! Atomics and locks of what threads share. Tests with loom have loom's, which try every order
//! (`cfg(loom)`).

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

/// A place between two accesses where another thread may come in. loom sees those of its own types,
/// but not the count of an `Arc`.
#[inline]
pub(crate) fn others_may_run() {
    #[cfg(all(loom, test))]
    loom::thread::yield_now();
}
