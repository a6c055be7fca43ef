//! Creating and waking waiters.

use std::task::Context;

use super::Executor;
use super::local::Local;
use super::raw::waker;
use crate::tasks::raw::waiter::Waiter;

impl Waiter {
    /// Returns a waiter for the poll with this context.
    #[inline]
    pub(crate) fn of(context: &Context<'_>, executor: &Executor) -> Self {
        match waker::task_of(context.waker(), executor) {
            Some(id) => Waiter::Task(id),
            None => Waiter::Other(Box::new(context.waker().clone())),
        }
    }

    /// Wakes the waiter. A waker is user code, so the caller must not hold a borrow.
    #[inline]
    pub(crate) fn wake(self, local: &Local) {
        match self {
            Waiter::Nobody => {}
            Waiter::Task(id) => local.wake(id),
            Waiter::Other(waker) => waker.wake(),
        }
    }
}
