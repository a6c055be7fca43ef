//! When a slice is over, and which task took long.
//!
//! Reading the clock takes longer than a message between two tasks. So it is read after every few
//! turns: the fewer, the longer they take. It is also read after the first turn of a task that was
//! spawned elsewhere than those before it.

use std::cell::Cell;
use std::panic::Location;

use crate::nif::{ClockTicks, per_millisecond};

/// A turn that took too long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Long {
    /// Where the task was spawned.
    pub(crate) location: &'static Location<'static>,
    pub(crate) ticks: u64,
}

/// A turn that has ended.
#[derive(Debug, Clone, Copy)]
pub(in crate::tasks) struct Ended {
    /// Where the task was spawned.
    pub(in crate::tasks) location: &'static Location<'static>,
    /// Whether it was the task's first one.
    pub(in crate::tasks) is_first: bool,
}

/// What the clock says after a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tasks) enum ClockReading {
    /// It was not read.
    None,
    Within,
    /// The slice is over.
    Over,
}

/// How many turns there are at most between two readings.
const MOST: u32 = 64;

/// If turns are seen to be long, the next ones are measured one by one.
const EXACT: u32 = 1024;

/// The clock of a process's tasks.
pub(in crate::tasks) struct Clock {
    ends: Cell<ClockTicks>,
    read: Cell<ClockTicks>,
    /// How many turns there are until the clock is read.
    left: Cell<u32>,
    turns: Cell<u32>,
    exact: Cell<u32>,
    /// The time of the last reading, and when it is one more.
    milliseconds: Cell<u32>,
    next: Cell<ClockTicks>,
    /// Where the tasks were spawned that have had turns since the last reading.
    location: Cell<Option<&'static Location<'static>>>,
    /// Whether some of them were spawned elsewhere.
    is_mixed: Cell<bool>,
    /// When the running task gives way at a checkpoint. Not known before its first one.
    turn_ends: Cell<Option<ClockTicks>>,
    pub(in crate::tasks) long: Cell<Option<Long>>,
}

pub(crate) struct Turn<'t>(pub(in crate::tasks) &'t Clock);

impl Turn<'_> {
    /// Whether it has lasted for long enough: a tenth of a timeslice from its first checkpoint on.
    pub(crate) fn is_used_up(&self) -> bool {
        self.0.gives_way()
    }
}

/// The present time in milliseconds, modulo 2^32.
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

    /// A slice begins.
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

    /// The time of the last reading.
    #[inline]
    pub(in crate::tasks) fn milliseconds(&self) -> u32 {
        self.milliseconds.get()
    }

    #[inline]
    pub(in crate::tasks) fn turn_begins(&self) {
        self.turn_ends.set(None);
    }

    /// Whether the running task gives way now.
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

    /// Reads the clock. `location` is where the tasks were spawned that have had turns since the
    /// last time, if that is known. Returns whether the slice is over.
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
