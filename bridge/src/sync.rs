//! Atomics and locks of what threads share. Tests with loom have loom's, which try every order (`cfg(loom)`).

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
