//! What waits for a time: the wheel of a process, and its clock.
//!
//! Called from outside: by the executor, which looks for those whose time has come, and by
//! `sharing`, whose futures begin and end waits. It knows who waits
//! ([`Waiter`](crate::tasks::raw::waiter::Waiter)), but cannot wake them.

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

    /// The millisecond in which a time from now is over.
    pub(super) fn in_time(&self, time: Duration) -> u64 {
        let at = self.began.elapsed().saturating_add(time);
        u64::try_from(at.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
    }

    /// The millisecond that has begun last.
    pub(super) fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// How long it takes until something is to be done.
    pub(super) fn left(&self) -> Option<(u64, Duration)> {
        let at = self.wheel.next()?;
        let left = Duration::from_millis(at).saturating_sub(self.began.elapsed());
        Some((at, left))
    }
}
