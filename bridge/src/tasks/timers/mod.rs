//! Timers of tasks: the wheel of a process, and its clock.
//!
//! Its callers are the executor, which looks for expired timers, and `sharing`, whose futures start
//! and cancel timers. It stores waiters ([`Waiter`](crate::tasks::raw::waiter::Waiter)), but cannot
//! wake them.

pub(super) mod wheel;

use std::time::{Duration, Instant};

use wheel::Wheel;

/// The timers of a process, and its clock.
pub(in crate::tasks) struct TaskTimers {
    began: Instant,
    pub(in crate::tasks) wheel: Wheel,
}

impl TaskTimers {
    pub(in crate::tasks) fn new() -> Self {
        TaskTimers {
            began: Instant::now(),
            wheel: Wheel::new(),
        }
    }

    /// Returns the millisecond in which a time from now is over.
    pub(super) fn in_time(&self, time: Duration) -> u64 {
        let at = self.began.elapsed().saturating_add(time);
        u64::try_from(at.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
    }

    /// Returns the current millisecond.
    pub(super) fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Returns the time until the wheel has to advance.
    pub(super) fn left(&self) -> Option<(u64, Duration)> {
        let at = self.wheel.next()?;
        let left = Duration::from_millis(at).saturating_sub(self.began.elapsed());
        Some((at, left))
    }
}
