//! A value in the place of a resource, in tests.

use std::fmt;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::{self, ThreadId};

/// Has the value of [`SharedResource::set_for_test`](super::SharedResource::set_for_test) stand in
/// place until it is dropped.
#[must_use = "the value leaves again when this is dropped: write `let _double = …`"]
pub struct TestDouble {
    pub(super) of: &'static dyn Remove,
}

/// A resource, of any type.
pub(super) trait Remove: Sync {
    /// The value leaves.
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

/// One test at a time has a value in the place of a resource. The thread is the test's.
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

    /// Waits for the other tests. Returns whether it is this thread's turn: it is not if the thread
    /// has it already.
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
