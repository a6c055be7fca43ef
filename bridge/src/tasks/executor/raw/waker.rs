//! The wakers of tasks.
//!
//! While a task is polled, its waker is a reference to the poll. A future inside the process stores
//! the number of the task instead of a clone of the waker
//! ([`Waiter`](crate::tasks::raw::waiter::Waiter)). A clone can be sent anywhere and wakes the task
//! from any thread.
#![allow(unsafe_code)]

use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::Arc;
use std::task::{RawWaker, RawWakerVTable, Waker};

use crate::tasks::executor::Executor;
use crate::tasks::executor::inbox::Mail;
use crate::tasks::raw::slab::TaskId;
use crate::tasks::raw::waiter::{TaskWaker, WakesTasks};

/// A poll of a task, on the stack of the thread that polls it.
pub(in crate::tasks) struct Polling<'a> {
    pub(in crate::tasks) executor: &'a Arc<Executor>,
    pub(in crate::tasks) id: TaskId,
}

impl Polling<'_> {
    pub(in crate::tasks) fn waker(&self) -> ManuallyDrop<Waker> {
        // SAFETY: the functions of the table keep the contract of wakers. The waker is not dropped,
        // and the poll gets only a reference to it, so it does not outlive `self`. Its clones have
        // another table.
        let waker = unsafe { Waker::from_raw(RawWaker::new((&raw const *self).cast(), &OF_POLL)) };
        ManuallyDrop::new(waker)
    }

    /// Returns the data that clones share. They are stored with the task.
    fn shared(&self) -> Arc<TaskWaker> {
        let new = || {
            Arc::new(TaskWaker {
                executor: Arc::<Executor>::clone(self.executor),
                id: self.id,
            })
        };
        let Some(local) = self.executor.here() else {
            return new();
        };
        local.waker(self.id, new)
    }
}

/// Returns the task that is polled with this waker, if the waker belongs to a poll of this
/// executor.
#[inline]
pub(in crate::tasks) fn task_of(waker: &Waker, executor: &Executor) -> Option<TaskId> {
    if !ptr::eq(waker.vtable(), &raw const OF_POLL) {
        return None;
    }
    // SAFETY: only `Polling::waker` makes wakers with this table, and they do not outlive their
    // data.
    let polling = unsafe { &*waker.data().cast::<Polling<'_>>() };
    ptr::eq(Arc::as_ptr(polling.executor), executor).then_some(polling.id)
}

impl WakesTasks for Executor {
    #[inline]
    fn wake_task(&self, id: TaskId) {
        match self.here() {
            Some(local) => local.wake(id),
            None => self.post(Mail::Wake(id)),
        }
    }
}

/// The table of the waker that is valid for one poll. Its data is the [`Polling`].
static OF_POLL: RawWakerVTable = RawWakerVTable::new(clone, wake, wake, |_| {});

unsafe fn clone(polling: *const ()) -> RawWaker {
    // SAFETY: the data of this table's wakers is a `Polling` that outlives them, see
    // `Polling::waker`.
    let shared = unsafe { &*polling.cast::<Polling<'_>>() }.shared();
    let waker = ManuallyDrop::new(Waker::from(shared));
    RawWaker::new(waker.data(), waker.vtable())
}

unsafe fn wake(polling: *const ()) {
    // SAFETY: as above.
    let polling = unsafe { &*polling.cast::<Polling<'_>>() };
    polling.executor.wake_task(polling.id);
}
