//! Values that belong to a process, wherever their handles are.
#![allow(unsafe_code)]

use std::cell::UnsafeCell;
use std::sync::Arc;

use crate::tasks::executor::Executor;
use crate::tasks::executor::inbox::Mail;
use crate::tasks::executor::local::Local;

/// A value that only calls of its process reach.
pub(in crate::tasks) struct Owned<T> {
    executor: Arc<Executor>,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached only through `with`, on the thread that runs a call of the process,
// or by who drops the last handle, when nobody else can reach it. It is `Send`, so it may be used
// by one thread after the other and dropped on any. The VM makes what one call wrote seen by the
// next one.
unsafe impl<T: Send> Send for Owned<T> {}
// SAFETY: as above: two threads never use the value at once.
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

    /// The value.
    ///
    /// # Safety
    /// This thread runs a call of the process. While the reference is used no code of the user's
    /// runs, and nobody comes here again.
    #[inline]
    #[expect(clippy::mut_from_ref, reason = "the contract says that there is one")]
    pub(in crate::tasks) unsafe fn get(&self) -> &mut T {
        // SAFETY: no other thread is here, and this one has no other reference, by the contract.
        unsafe { &mut *self.value.get() }
    }

    /// The value, if this thread runs a call of its process.
    ///
    /// # Safety
    /// `body` runs no code of the user's: it only moves values. So it does not come here again.
    #[inline]
    pub(in crate::tasks) unsafe fn with<R>(
        &self,
        body: impl FnOnce(&mut T, &Local) -> R,
    ) -> Option<R> {
        let local = self.executor.here()?;
        // SAFETY: no other thread is here, by the check, and this thread is not, by the contract.
        Some(body(unsafe { self.get() }, local))
    }
}

/// Does something with the value in its process: now, if this thread runs a call of it.
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
