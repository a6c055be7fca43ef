//! Timers of a process whose time is advanced by a test.

use std::time::Duration;

use crate::{Reference, Term};

/// The timers of a process, and its time, which starts with 0.
#[derive(Default)]
pub(super) struct TestTimers {
    now: Duration,
    running: Vec<Timer>,
    started: u64,
}

struct Timer {
    reference: Reference,
    /// When it sends its message, and its number: if two are due at the same time, the one that was
    /// started first sends first.
    due: (Duration, u64),
    to: Term,
    message: Term,
    interval: Option<Duration>,
}

/// A timer to start.
pub(super) struct NewTimer {
    pub(super) reference: Reference,
    pub(super) time: Duration,
    pub(super) to: Term,
    pub(super) message: Term,
    pub(super) repeats: bool,
}

impl TestTimers {
    pub(super) fn now(&self) -> Duration {
        self.now
    }

    /// Advances the time to `now`, unless it is later already.
    pub(super) fn set_now(&mut self, now: Duration) {
        self.now = self.now.max(now);
    }

    pub(super) fn start(&mut self, timer: NewTimer) {
        self.started += 1;
        // Otherwise a timer that repeats without a pause would never let the time pass.
        let interval = timer.time.max(Duration::from_millis(1));
        self.running.push(Timer {
            reference: timer.reference,
            due: (self.now.saturating_add(timer.time), self.started),
            to: timer.to,
            message: timer.message,
            interval: timer.repeats.then_some(interval),
        });
    }

    /// Cancels a timer. Returns the remaining time.
    pub(super) fn cancel(&mut self, reference: &Reference) -> Option<Duration> {
        let is_it = |timer: &Timer| timer.reference == *reference;
        let timer = self.running.remove(self.running.iter().position(is_it)?);
        Some(timer.due.0.saturating_sub(self.now))
    }

    /// Returns when the next message is due.
    pub(super) fn next(&self) -> Option<Duration> {
        self.running.iter().map(|timer| timer.due.0).min()
    }

    /// Takes the next message that is due now, with its destination.
    pub(super) fn take_due(&mut self) -> Option<(Term, Term)> {
        let due = |timer: &Timer| timer.due.0 <= self.now;
        let timers = self.running.iter().enumerate();
        let timers = timers.filter(|(_, timer)| due(timer));
        let (index, _) = timers.min_by_key(|(_, timer)| timer.due)?;
        let timer = &mut self.running[index];
        let sent = (timer.to.clone(), timer.message.clone());
        match timer.interval {
            Some(interval) => timer.due.0 += interval,
            None => drop(self.running.remove(index)),
        }
        Some(sent)
    }
}
