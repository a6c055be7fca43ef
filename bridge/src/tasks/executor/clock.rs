//! The clock of a process's tasks: it finds the end of a slice, and tasks with long turns.
//!
//! Reading the clock takes longer than sending a message between two tasks. So the clock is read
//! only once in several turns, and more often if turns are long. It is also read after the first
//! turn of a task that was spawned at another line than the tasks before it.

use std::cell::Cell;
use std::panic::Location;

use crate::nif::{ClockTicks, per_millisecond};

/// A turn that took too long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Long {
    /// The line that spawned the task.
    pub(crate) location: &'static Location<'static>,
    pub(crate) ticks: u64,
}

/// A turn that has ended.
#[derive(Debug, Clone, Copy)]
pub(in crate::tasks) struct Ended {
    /// The line that spawned the task.
    pub(in crate::tasks) location: &'static Location<'static>,
    /// Whether it was the task's first turn.
    pub(in crate::tasks) is_first: bool,
}

/// The result of reading the clock after a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tasks) enum ClockReading {
    /// The clock was not read.
    None,
    Within,
    /// The slice is over.
    Over,
}

/// The largest number of turns between two readings.
const MOST: u32 = 64;

/// After turns that took too long, this many turns are measured one by one.
const EXACT: u32 = 1024;

/// The clock of a process's tasks.
pub(in crate::tasks) struct Clock {
    ends: Cell<ClockTicks>,
    read: Cell<ClockTicks>,
    /// The number of turns until the clock is read.
    left: Cell<u32>,
    turns: Cell<u32>,
    exact: Cell<u32>,
    /// The time of the last reading in milliseconds, and when the next millisecond starts.
    milliseconds: Cell<u32>,
    next: Cell<ClockTicks>,
    /// The line that spawned the first task to have a turn since the last reading.
    location: Cell<Option<&'static Location<'static>>>,
    /// Whether another line spawned some of the tasks.
    is_mixed: Cell<bool>,
    /// When the running task yields at a checkpoint. Unknown before its first checkpoint.
    turn_ends: Cell<Option<ClockTicks>>,
    pub(in crate::tasks) long: Cell<Option<Long>>,
}

pub(crate) struct Turn<'t>(pub(in crate::tasks) &'t Clock);

impl Turn<'_> {
    /// Returns whether the turn has lasted a tenth of a millisecond since its first checkpoint, or
    /// the slice is over.
    pub(crate) fn is_used_up(&self) -> bool {
        self.0.gives_way()
    }
}

/// Returns the current time in milliseconds, modulo 2^32.
pub(in crate::tasks) fn milliseconds() -> u32 {
    (ClockTicks::now().0 / per_millisecond()) as u32
}

impl Clock {
    pub(in crate::tasks) fn new() -> Self {
        Clock {
            ends: Cell::new(ClockTicks(0)),
            read: Cell::new(ClockTicks(0)),
            left: Cell::new(1),
            turns: Cell::new(1),
            exact: Cell::new(0),
            milliseconds: Cell::new(0),
            next: Cell::new(ClockTicks(0)),
            location: Cell::new(None),
            is_mixed: Cell::new(false),
            turn_ends: Cell::new(None),
            long: Cell::new(None),
        }
    }

    /// Starts a slice.
    pub(in crate::tasks) fn begin(&self, ends: ClockTicks) {
        self.ends.set(ends);
        self.left.set(self.turns.get());
        self.read(ClockTicks::now());
    }

    fn read(&self, now: ClockTicks) {
        self.read.set(now);
        self.location.set(None);
        self.is_mixed.set(false);
        if now >= self.next.get() {
            let milliseconds = now.0 / per_millisecond();
            self.milliseconds.set(milliseconds as u32);
            self.next
                .set(ClockTicks((milliseconds + 1) * per_millisecond()));
        }
    }

    /// Returns the time of the last reading in milliseconds.
    #[inline]
    pub(in crate::tasks) fn milliseconds(&self) -> u32 {
        self.milliseconds.get()
    }

    #[inline]
    pub(in crate::tasks) fn turn_begins(&self) {
        self.turn_ends.set(None);
    }

    /// Returns whether the running task yields now.
    fn gives_way(&self) -> bool {
        let now = ClockTicks::now();
        let ends = self.turn_ends.get().unwrap_or_else(|| {
            let turn = per_millisecond() / 10;
            let ends = ClockTicks(now.0 + turn).min(self.ends.get());
            self.turn_ends.set(Some(ends));
            ends
        });
        let gives_way = now > ends;
        if gives_way {
            self.left.set(1);
        }
        gives_way
    }

    #[inline(always)]
    pub(in crate::tasks) fn turn_ended(&self, turn: Ended) -> ClockReading {
        let is_other = match self.location.get() {
            Some(location) => !std::ptr::eq(location, turn.location),
            None => {
                self.location.set(Some(turn.location));
                false
            }
        };
        if is_other {
            self.is_mixed.set(true);
        }
        let left = self.left.get().saturating_sub(1);
        self.left.set(left);
        let is_new = is_other && turn.is_first;
        if left > 0 && !is_new {
            return ClockReading::None;
        }
        let location = if is_new || !self.is_mixed.get() {
            Some(turn.location)
        } else {
            None
        };
        if self.look(location) {
            ClockReading::Over
        } else {
            ClockReading::Within
        }
    }

    /// Reads the clock. `location` is the line that spawned the tasks with turns since the last
    /// reading, if it was a single line. Returns whether the slice is over.
    #[cold]
    fn look(&self, location: Option<&'static Location<'static>>) -> bool {
        let now = ClockTicks::now();
        let spent = now.since(self.read.get());
        self.read(now);
        self.exact.set(self.exact.get().saturating_sub(1));
        match location {
            Some(location) if spent >= per_millisecond() => {
                let long = self.long.get();
                if long.is_none_or(|long| long.ticks < spent) {
                    let ticks = spent;
                    self.long.set(Some(Long { location, ticks }));
                }
            }
            None if spent >= per_millisecond() => self.exact.set(EXACT),
            Some(_) | None => {}
        }
        let turns = if spent > per_millisecond() / 20 || self.exact.get() > 0 {
            1
        } else {
            (self.turns.get() * 2).min(MOST)
        };
        self.turns.set(turns);
        self.left.set(turns);
        now > self.ends.get()
    }
}
