//! The timers of a node, whose time is simulated.

use std::time::Duration;

use crate::{Reference, Term};

/// The timers of a node, and its time, which starts with 0.
#[derive(Default)]
pub(in crate::testing) struct TestTimers {
    now: Duration,
    running: Vec<Timer>,
    started: u64,
}

/// The effect of a timer that is due.
#[derive(Debug, Clone)]
pub(super) enum TimerEffect {
    /// Sends a message: the destination and the message.
    Message(Term, Term),
    /// Ends the wait of a process.
    Wake(usize),
}

/// A timer that is due.
pub(super) struct DueTimer {
    pub(super) reference: Reference,
    pub(super) effect: TimerEffect,
}

struct Timer {
    reference: Reference,
    /// When it sends its message, and its number: if two are due at the same time, the one that was
    /// started first sends first.
    due: (Duration, u64),
    effect: TimerEffect,
    interval: Option<Duration>,
}

/// A timer to start.
pub(super) struct NewTimer {
    pub(super) reference: Reference,
    pub(super) time: Duration,
    pub(super) effect: TimerEffect,
    pub(super) repeats: bool,
}

impl TestTimers {
    pub(in crate::testing) fn now(&self) -> Duration {
        self.now
    }

    /// Advances the time to `now`, unless it is later already.
    pub(in crate::testing) fn set_now(&mut self, now: Duration) {
        self.now = self.now.max(now);
    }

    pub(super) fn start(&mut self, timer: NewTimer) {
        self.started += 1;
        // Otherwise a timer that repeats without a pause would never let the time pass.
        let interval = timer.time.max(Duration::from_millis(1));
        self.running.push(Timer {
            reference: timer.reference,
            due: (self.now.saturating_add(timer.time), self.started),
            effect: timer.effect,
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

    /// Returns how many timers are due next, at one time.
    pub(super) fn count_next(&self) -> usize {
        let next = self.next();
        let timers = self.running.iter();
        timers.filter(|timer| Some(timer.due.0) == next).count()
    }

    /// Takes a timer: the one with this index among those that are due next, in the order in which
    /// they were started.
    pub(super) fn take_due(&mut self, index: usize) -> Option<DueTimer> {
        let next = self.next()?;
        let timers = self.running.iter().enumerate();
        let timers = timers.filter(|(_, timer)| timer.due.0 == next);
        let mut timers: Vec<_> = timers.map(|(index, timer)| (timer.due.1, index)).collect();
        timers.sort_unstable();
        let index = timers.get(index)?.1;
        let timer = &mut self.running[index];
        let due = DueTimer {
            reference: timer.reference.clone(),
            effect: timer.effect.clone(),
        };
        match timer.interval {
            Some(interval) => timer.due.0 += interval,
            None => drop(self.running.remove(index)),
        }
        Some(due)
    }

    /// Removes the timers of a process that has ended, except those that send messages.
    pub(super) fn forget_wakes_of(&mut self, process: usize) {
        let is_of = |timer: &Timer| matches!(timer.effect, TimerEffect::Wake(it) if it == process);
        self.running.retain(|timer| !is_of(timer));
    }
}
