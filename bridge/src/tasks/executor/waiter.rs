//! Who waits in a poll, and how it is woken.

use std::task::Context;

use super::Executor;
use super::local::Local;
use super::raw::waker;
use crate::tasks::raw::waiter::Waiter;

impl Waiter {
    /// Whoever polls in this context.
    #[inline]
    pub(crate) fn of(context: &Context<'_>, executor: &Executor) -> Self {
        match waker::task_of(context.waker(), executor) {
            Some(id) => Waiter::Task(id),
            None => Waiter::Other(Box::new(context.waker().clone())),
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
