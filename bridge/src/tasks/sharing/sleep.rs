//! Tasks that wait for a time.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use crate::tasks::executor::Executor;
use crate::tasks::executor::inbox::Mail;
use crate::tasks::executor::local::Local;
use crate::tasks::raw::waiter::Waiter;
use crate::tasks::timers::wheel::TimerId;

/// A task's wait, registered in the wheel of its process.
pub(crate) struct Pause {
    executor: Arc<Executor>,
    timer: TimerId,
}

impl Pause {
    /// Starts the wait.
    pub(crate) fn start(executor: &Arc<Executor>, local: &Local, time: Duration) -> Self {
        let mut timers = local.timers.borrow_mut();
        let at = timers.in_time(time);
        Pause {
            executor: Arc::clone(executor),
            timer: timers.wheel.start(at, Waiter::Nobody),
        }
    }
}

impl Future for Pause {
    type Output = ();

    /// Outside of a call of its process, the wait is over at once.
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let waiter = Waiter::of(context, &self.executor);
        let Some(local) = self.executor.here() else {
            return Poll::Ready(());
        };
        let (before, is_over) = local.timers.borrow_mut().wheel.wait(self.timer, waiter);
        // A waker's destructor is user code.
        drop(before);
        if is_over {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

impl Drop for Pause {
    fn drop(&mut self) {
        let timer = self.timer;
        let remove = move |local: &Local| {
            let waiter = local.timers.borrow_mut().wheel.remove(timer);
            drop(waiter);
        };
        match self.executor.here() {
            Some(local) => remove(local),
            None => self.executor.post(Mail::Run(Box::new(move |executor| {
                executor.here().into_iter().for_each(remove);
            }))),
        }
    }
}
