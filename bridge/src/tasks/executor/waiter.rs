//! Who is woken when something comes: a task of the same process, which needs no waker, or anything else.

use std::task::{Context, Waker};

use super::Executor;
use super::local::Local;
use crate::tasks::raw::slab::TaskId;
use crate::tasks::raw::waker;

/// Who waits.
#[derive(Debug, Default)]
pub(crate) enum Waiter {
    #[default]
    Nobody,
    /// A task of the process.
    Task(TaskId),
    /// A callback, a combinator, or whoever else has a waker.
    Other(Box<Waker>),
}

impl Waiter {
    /// Whoever polls in this context.
    #[inline]
    pub(crate) fn of(context: &Context<'_>, executor: &Executor) -> Self {
        match waker::task_of(context.waker(), executor) {
            Some(id) => Waiter::Task(id),
            None => Waiter::Other(Box::new(context.waker().clone())),
        }
    }

    #[cfg(feature = "net")]
    /// Whether both are the same one.
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Waiter::Task(id), Waiter::Task(other)) => id == other,
            (Waiter::Other(waker), Waiter::Other(other)) => waker.will_wake(other),
            _ => false,
        }
    }

    /// Wakes it. A waker's code is the user's: nothing may be borrowed meanwhile.
    #[inline]
    pub(crate) fn wake(self, local: &Local) {
        match self {
            Waiter::Nobody => {}
            Waiter::Task(id) => local.wake(id),
            Waiter::Other(waker) => waker.wake(),
        }
    }
}
