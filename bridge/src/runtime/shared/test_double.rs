//! Test doubles of resources.

use std::fmt;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::{self, ThreadId};

/// Keeps the value of [`SharedResource::set_for_test`](super::SharedResource::set_for_test) in the
/// resource until it is dropped.
#[must_use = "the value leaves again when this is dropped: write `let _double = …`"]
pub struct TestDouble {
    pub(super) of: &'static dyn Remove,
}

/// A resource, of any type.
pub(super) trait Remove: Sync {
    /// Removes the value.
    fn remove(&self);
}

impl Drop for TestDouble {
    fn drop(&mut self) {
        self.of.remove();
    }
}

impl fmt::Debug for TestDouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TestDouble")
    }
}

/// A lock that one test at a time holds to replace a resource. The test is identified by its
/// thread.
pub(super) struct TestTurn {
    thread: Mutex<Option<ThreadId>>,
    is_free: Condvar,
}

impl TestTurn {
    pub(super) const fn new() -> Self {
        TestTurn {
            thread: Mutex::new(None),
            is_free: Condvar::new(),
        }
    }

    /// Waits for the other tests and takes the lock. Returns false if the thread has the lock
    /// already.
    pub(super) fn take(&self) -> bool {
        let own = thread::current().id();
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match *thread {
                None => {
                    *thread = Some(own);
                    return true;
                }
                Some(other) if other == own => return false,
                Some(_) => {
                    let waited = self.is_free.wait(thread);
                    thread = waited.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    pub(super) fn give_back(&self) {
        *self.thread.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.is_free.notify_one();
    }
}
