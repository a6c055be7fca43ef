//! Waiters: a task of the same process, which needs no waker, or any other waker.

use std::sync::Arc;
use std::task::{Wake, Waker};

use super::slab::TaskId;

/// The receiver of a wake-up.
#[derive(Debug, Default)]
pub(crate) enum Waiter {
    #[default]
    Nobody,
    /// A task of the process.
    Task(TaskId),
    /// A callback, a combinator, or any other owner of a waker.
    Other(Box<Waker>),
}

#[cfg(feature = "net")]
impl Waiter {
    /// Returns whether both wake the same task or waker.
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Waiter::Task(id), Waiter::Task(other)) => id == other,
            (Waiter::Other(waker), Waiter::Other(other)) => waker.will_wake(other),
            _ => false,
        }
    }
}

/// The executor of a task, for a waker that may be on any thread.
pub(in crate::tasks) trait WakesTasks: Send + Sync {
    /// Wakes a task, from any thread.
    fn wake_task(&self, id: TaskId);
}

/// The data that clones of a task's waker share.
pub(in crate::tasks) struct TaskWaker {
    pub(in crate::tasks) executor: Arc<dyn WakesTasks>,
    pub(in crate::tasks) id: TaskId,
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.executor.wake_task(self.id);
    }
}
