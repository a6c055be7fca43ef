//! Values that belong to a process, even if their handles are elsewhere.
#![allow(unsafe_code)]

use std::cell::UnsafeCell;
use std::sync::Arc;

use crate::tasks::executor::Executor;
use crate::tasks::executor::inbox::Mail;
use crate::tasks::executor::local::Local;

/// A value that only calls of its process can access.
pub(in crate::tasks) struct Owned<T> {
    executor: Arc<Executor>,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached only through `with`, on the thread that runs a call of the process,
// or by the drop of the last handle, when no other code can reach it. It is `Send`, so one thread
// after the other may use it and any thread may drop it. The VM makes the writes of one call
// visible to the next one.
unsafe impl<T: Send> Send for Owned<T> {}
// SAFETY: as above: two threads never use the value at the same time.
unsafe impl<T: Send> Sync for Owned<T> {}

impl<T> Owned<T> {
    pub(in crate::tasks) fn new(executor: &Arc<Executor>, value: T) -> Self {
        Owned {
            executor: Arc::clone(executor),
            value: UnsafeCell::new(value),
        }
    }

    pub(in crate::tasks) fn executor(&self) -> &Arc<Executor> {
        &self.executor
    }

    /// Returns the value.
    ///
    /// # Safety
    /// This thread runs a call of the process. While the reference is used, no user code runs, and
    /// this function is not called again.
    #[inline]
    #[expect(clippy::mut_from_ref, reason = "the contract says that there is one")]
    pub(in crate::tasks) unsafe fn get(&self) -> &mut T {
        // SAFETY: by the contract, no other thread uses the value, and this thread has no other
        // reference to it.
        unsafe { &mut *self.value.get() }
    }

    /// Calls `body` with the value, if this thread runs a call of its process.
    ///
    /// # Safety
    /// `body` runs no user code: it only moves values. So it does not use the value again.
    #[inline]
    pub(in crate::tasks) unsafe fn with<R>(
        &self,
        body: impl FnOnce(&mut T, &Local) -> R,
    ) -> Option<R> {
        let local = self.executor.here()?;
        // SAFETY: no other thread uses the value, by the check above. This thread does not use it
        // either, by the contract.
        Some(body(unsafe { self.get() }, local))
    }
}

/// Calls a closure with the value in its process: at once, if this thread runs a call of the
/// process.
pub(in crate::tasks) fn in_process<T: Send + Sync + 'static>(
    owned: &Arc<T>,
    executor: impl Fn(&T) -> &Arc<Executor>,
    action: fn(&T, &Local),
) {
    let of = executor(owned);
    match of.here() {
        Some(local) => action(owned, local),
        None => {
            let later = Arc::clone(owned);
            of.post(Mail::Run(Box::new(move |executor| {
                if let Some(local) = executor.here() {
                    action(&later, local);
                }
            })));
        }
    }
}
