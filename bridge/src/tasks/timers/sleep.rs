//! Tasks that wait for a time.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use super::wheel::{TimerId, Wheel};
use crate::tasks::executor::Executor;
use crate::tasks::executor::inbox::Mail;
use crate::tasks::executor::local::Local;
use crate::tasks::executor::waiter::Waiter;

/// The timers of a process, and its clock.
pub(in crate::tasks) struct Timers {
    began: Instant,
    pub(in crate::tasks) wheel: Wheel,
}

impl Timers {
    pub(in crate::tasks) fn new() -> Self {
        Timers {
            began: Instant::now(),
            wheel: Wheel::new(),
        }
    }

    /// The millisecond in which a time from now is over.
    fn in_time(&self, time: Duration) -> u64 {
        let at = self.began.elapsed().saturating_add(time);
        u64::try_from(at.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
    }

    /// The millisecond that has begun last.
    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// How long it takes until something is to be done.
    fn left(&self) -> Option<(u64, Duration)> {
        let at = self.wheel.next()?;
        let left = Duration::from_millis(at).saturating_sub(self.began.elapsed());
        Some((at, left))
    }
}

/// A wait of a task, in the wheel of its process.
pub(crate) struct Pause {
    executor: Arc<Executor>,
    timer: TimerId,
}

impl Pause {
    /// Begins to wait.
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

    /// Elsewhere than in its process it is over at once.
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let waiter = Waiter::of(context, &self.executor);
        let Some(local) = self.executor.here() else {
            return Poll::Ready(());
        };
        let (before, is_over) = local.timers.borrow_mut().wheel.wait(self.timer, waiter);
        // A waker's destructor is the user's code.
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

impl Local {
    /// Wakes those whose time has come.
    pub(in crate::tasks) fn wake_sleepers(&self) {
        let mut timers = self.timers.borrow_mut();
        if timers.wheel.is_empty() {
            return;
        }
        let now = timers.now();
        let mut others = Vec::new();
        timers.wheel.advance(now, |waiter| match waiter {
            Waiter::Task(id) => self.wake(id),
            other => others.push(other),
        });
        drop(timers);
        others.into_iter().for_each(|waiter| waiter.wake(self));
    }

    /// When the process has to look at its timers again: the wheel's millisecond, and the time until then.
    pub(crate) fn next_timer(&self) -> Option<(u64, Duration)> {
        self.timers.borrow().left()
    }
}
