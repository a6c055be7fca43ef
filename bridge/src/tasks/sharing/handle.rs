//! What awaits a task's end, or ends it.
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

/// The handle of a task whose output is an `O`. The task goes on without it.
pub(crate) struct Handle<O> {
    executor: Arc<Executor>,
    id: TaskId,
    /// How often all tasks had been freed at once when the task was started ([`Local::sweeps`]). A
    /// task is not freed before its handle is dropped, except then. So while the number is the
    /// same, no other task has the slot, and its id cannot be that of another one. A later task
    /// could have the same id: its serial number begins again after 2^32 tasks.
    sweeps: u64,
    output: PhantomData<fn() -> O>,
}

impl<O> Handle<O> {
    /// The only handle of a task.
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

    /// The task's process, if a call of it runs on this thread.
    pub(crate) fn here(&self) -> Option<&Local> {
        self.executor.here()
    }

    /// The output, when the task has ended: `None` if it was aborted, or its process has ended.
    pub(crate) fn poll(&self, context: &Context<'_>) -> Poll<Option<O>> {
        let local = self.here().filter(|local| local.sweeps() == self.sweeps);
        let Some(task) = local.and_then(|local| local.entry(self.id)) else {
            return Poll::Ready(None);
        };
        if task.has(Flags::ENDED) {
            // SAFETY: it is the task of this handle, by what is said of `sweeps`, and it has ended,
            // so it is not being polled. `O` is its output by the contract of `new`.
            return Poll::Ready(unsafe { task::take(task.task()) });
        }
        let waiter = Waiter::of(context, &self.executor);
        let before = task.joiner.replace(waiter);
        drop(before);
        Poll::Pending
    }

    /// Does something with the task, in its process.
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
