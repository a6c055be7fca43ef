//! Handles, which await the end of a task or abort it.
#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::tasks::executor::Executor;
use crate::tasks::executor::inbox::Mail;
use crate::tasks::executor::local::Local;
use crate::tasks::raw::slab::TaskId;
use crate::tasks::raw::task;
use crate::tasks::raw::task::Flags;
use crate::tasks::raw::waiter::Waiter;

/// The handle of a task with an output of type `O`. Dropping it does not end the task.
pub(crate) struct Handle<O> {
    executor: Arc<Executor>,
    id: TaskId,
    /// The value of [`Local::sweeps`] when the task was started: how often all tasks had been freed
    /// at once. Apart from that, a task is not freed before its handle is dropped. So while the
    /// value is unchanged, no other task has the slot, and its id belongs to no other task. Later,
    /// another task could have the same id, because the serial number wraps around after 2^32
    /// tasks.
    sweeps: u64,
    output: PhantomData<fn() -> O>,
}

impl<O> Handle<O> {
    /// Creates the only handle of a task.
    ///
    /// # Safety
    /// `O` is the output of the task's future, the task has no other handle, and it was started in
    /// this call of its process.
    pub(crate) unsafe fn new(executor: Arc<Executor>, id: TaskId) -> Self {
        Handle {
            sweeps: executor.here().map_or(u64::MAX, Local::sweeps),
            executor,
            id,
            output: PhantomData,
        }
    }

    pub(crate) fn id(&self) -> TaskId {
        self.id
    }

    /// Returns the task's process, if this thread runs a call of it.
    pub(crate) fn here(&self) -> Option<&Local> {
        self.executor.here()
    }

    /// Returns the output when the task has ended; `None` if it was aborted, or if its process has
    /// ended.
    pub(crate) fn poll(&self, context: &Context<'_>) -> Poll<Option<O>> {
        let local = self.here().filter(|local| local.sweeps() == self.sweeps);
        let Some(task) = local.and_then(|local| local.entry(self.id)) else {
            return Poll::Ready(None);
        };
        if task.has(Flags::ENDED) {
            // SAFETY: by the invariant of `sweeps`, it is the task of this handle. It has ended, so
            // it is not being polled. `O` is its output by the contract of `new`.
            return Poll::Ready(unsafe { task::take(task.task()) });
        }
        let waiter = Waiter::of(context, &self.executor);
        let before = task.joiner.replace(waiter);
        drop(before);
        Poll::Pending
    }

    /// Calls `action` with the task, in its process.
    pub(crate) fn with(&self, action: impl FnOnce(&Local, TaskId) + Send + 'static) {
        let (id, sweeps) = (self.id, self.sweeps);
        let action = move |local: &Local| {
            if local.sweeps() == sweeps {
                action(local, id);
            }
        };
        match self.here() {
            Some(local) => action(local),
            None => self.executor.post(Mail::Run(Box::new(move |executor| {
                if let Some(local) = executor.here() {
                    action(local);
                }
            }))),
        }
    }
}

impl<O> Drop for Handle<O> {
    fn drop(&mut self) {
        self.with(|local, id| local.detach(id));
    }
}
