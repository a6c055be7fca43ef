//! When a slice is over, and which task took long.
//!
//! Reading the clock takes as long as a message between two tasks. So it is read after a new task's first turn and
//! after every few others: the fewer, the longer they take.

use std::cell::Cell;
use std::panic::Location;

use crate::nif::{Ticks, per_millisecond};

/// A turn that took too long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Long {
    /// Where the task was spawned.
    pub(crate) location: &'static Location<'static>,
    pub(crate) ticks: u64,
}

/// What the clock says after a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
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
pub(super) struct Clock {
    ends: Cell<Ticks>,
    read: Cell<Ticks>,
    /// How many turns there are until the clock is read.
    left: Cell<u32>,
    turns: Cell<u32>,
    exact: Cell<u32>,
    milliseconds: Cell<u32>,
    /// When the running task gives way at a checkpoint. Not known before its first one.
    turn_ends: Cell<Option<Ticks>>,
    pub(super) long: Cell<Option<Long>>,
}

/// The turn of a task.
pub(crate) struct Turn<'t>(pub(super) &'t Clock);

impl Turn<'_> {
    /// Whether it has lasted for long enough: a tenth of a timeslice from its first checkpoint on.
    pub(crate) fn is_used_up(&self) -> bool {
        self.0.gives_way()
    }
}

/// The present time in milliseconds, modulo 2^32.
pub(super) fn milliseconds() -> u32 {
    (Ticks::now().0 / per_millisecond()) as u32
}

impl Clock {
    pub(super) fn new() -> Self {
        Clock {
            ends: Cell::new(Ticks(0)),
            read: Cell::new(Ticks(0)),
            left: Cell::new(1),
            turns: Cell::new(1),
            exact: Cell::new(0),
            milliseconds: Cell::new(milliseconds()),
            turn_ends: Cell::new(None),
            long: Cell::new(None),
        }
    }

    /// A slice begins.
    pub(super) fn begin(&self, ends: Ticks) {
        self.ends.set(ends);
        self.read.set(Ticks::now());
        self.left.set(self.turns.get());
        self.milliseconds.set(milliseconds());
    }

    /// The time of the last reading.
    #[inline]
    pub(super) fn milliseconds(&self) -> u32 {
        self.milliseconds.get()
    }

    /// Whether turns are measured one by one.
    #[inline]
    pub(super) fn is_exact(&self) -> bool {
        self.turns.get() == 1
    }

    /// A turn begins.
    #[inline]
    pub(super) fn turn_begins(&self) {
        self.turn_ends.set(None);
    }

    /// Whether the running task gives way now.
    fn gives_way(&self) -> bool {
        let now = Ticks::now();
        let ends = self.turn_ends.get().unwrap_or_else(|| {
            let turn = per_millisecond() / 10;
            let ends = Ticks(now.0 + turn).min(self.ends.get());
            self.turn_ends.set(Some(ends));
            ends
        });
        let gives_way = now > ends;
        if gives_way {
            self.left.set(1);
        }
        gives_way
    }

    /// A turn has ended. `location` is given if it is measured.
    #[inline]
    pub(super) fn turn_ended(&self, location: Option<&'static Location<'static>>) -> Reading {
        let left = self.left.get().saturating_sub(1);
        self.left.set(left);
        if left > 0 && location.is_none() {
            return Reading::None;
        }
        match self.look(location) {
            true => Reading::Over,
            false => Reading::Within,
        }
    }

    fn look(&self, location: Option<&'static Location<'static>>) -> bool {
        let now = Ticks::now();
        let spent = now.since(self.read.get());
        self.read.set(now);
        self.exact.set(self.exact.get().saturating_sub(1));
        match location {
            Some(location) => {
                let is_longest = self.long.get().is_none_or(|long| long.ticks < spent);
                if spent >= per_millisecond() && is_longest {
                    let ticks = spent;
                    self.long.set(Some(Long { location, ticks }));
                }
            }
            None if spent >= per_millisecond() => self.exact.set(EXACT),
            None => {}
        }
        let turns = match spent > per_millisecond() / 20 || self.exact.get() > 0 {
            true => 1,
            false => (self.turns.get() * 2).min(MOST),
        };
        self.turns.set(turns);
        self.left.set(turns);
        self.milliseconds.set((now.0 / per_millisecond()) as u32);
        now > self.ends.get()
    }
}
