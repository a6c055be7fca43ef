//! Tasks that wait for a timer.

use std::time::Duration;

use super::local::Local;
use crate::tasks::raw::waiter::Waiter;

impl Local {
    /// Wakes the tasks whose timers have expired.
    pub(crate) fn wake_sleepers(&self) {
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

    /// Returns when the process has to check its timers again: the wheel's millisecond, and the
    /// time until then.
    pub(crate) fn next_timer(&self) -> Option<(u64, Duration)> {
        self.timers.borrow().left()
    }
}
