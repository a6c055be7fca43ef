//! A value that the tasks and callbacks of a process share.
#![allow(unsafe_code)]

use std::cell::{Cell, UnsafeCell};
use std::fmt;
use std::sync::Arc;

use crate::tasks::executor::Executor;

/// A value that the tasks and callbacks of one process use through clones of this handle, one at a
/// time. It has no lock: see [`Tasks::local`](crate::task::Tasks::local).
pub struct LocalCell<T>(Arc<Value<T>>);

struct Value<T> {
    executor: Arc<Executor>,
    is_used: Cell<bool>,
    value: UnsafeCell<T>,
}

// SAFETY: the fields that are not `Sync` are used only after a check that this thread runs a call
// of the process. No other thread runs one at that time. The value is `Send`, so one thread after
// the other may use it, and any thread may drop it.
unsafe impl<T: Send> Send for Value<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Value<T> {}

/// The reason why a shared value cannot be used now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotNow {
    /// This is not a call of its process.
    Elsewhere,
    /// A caller of this code is already using it.
    InUse,
}

impl fmt::Display for NotNow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotNow::Elsewhere => "a `LocalCell` can be used in calls of its process only",
            NotNow::InUse => "a `LocalCell` cannot be used while it is being used",
        })
    }
}

impl std::error::Error for NotNow {}

/// Marks the end of a use, also after a panic.
struct Use<'v>(&'v Cell<bool>);

impl Drop for Use<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

impl<T: Send + 'static> LocalCell<T> {
    pub(crate) fn new(executor: &Arc<Executor>, value: T) -> Self {
        LocalCell(Arc::new(Value {
            executor: Arc::clone(executor),
            is_used: Cell::new(false),
            value: UnsafeCell::new(value),
        }))
    }

    #[cfg(feature = "net")]
    pub(crate) fn executor(&self) -> &Arc<Executor> {
        &self.0.executor
    }

    /// Calls `body` with the value.
    ///
    /// # Panics
    /// Outside of a call of its process, and within another use of the value.
    pub fn with<R>(&self, body: impl FnOnce(&mut T) -> R) -> R {
        match self.try_with(body) {
            Ok(result) => result,
            Err(why) => panic!("{why}"),
        }
    }

    /// Like [`LocalCell::with`], without a panic.
    ///
    /// # Errors
    /// The reason why the value cannot be used now.
    pub fn try_with<R>(&self, body: impl FnOnce(&mut T) -> R) -> Result<R, NotNow> {
        let value = &*self.0;
        if value.executor.here().is_none() {
            return Err(NotNow::Elsewhere);
        }
        if value.is_used.replace(true) {
            return Err(NotNow::InUse);
        }
        let _use = Use(&value.is_used);
        // SAFETY: this thread runs a call of the process, so no other thread uses the value, and
        // the flag `is_used` was clear, so this one does not use it either. The reference ends
        // before `_use`.
        Ok(body(unsafe { &mut *value.value.get() }))
    }
}

impl<T: Send + Clone + 'static> LocalCell<T> {
    /// Returns a copy of the value.
    ///
    /// # Panics
    /// Like [`LocalCell::with`].
    #[must_use]
    pub fn get(&self) -> T {
        self.with(|value| value.clone())
    }
}

impl<T> Clone for LocalCell<T> {
    fn clone(&self) -> Self {
        LocalCell(Arc::clone(&self.0))
    }
}

impl<T> fmt::Debug for LocalCell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LocalCell<{}>", std::any::type_name::<T>())
    }
}
