//! How long a call from the VM takes, with as few looks at the clock as that allows.
//!
//! Reading the clock takes as long as a short callback's own work. While calls follow each other closely on a thread, each is taken to begin
//! where the one before it ended. That is never too late, so a call that seems to be short is. One that seems to be long may have been, or
//! the thread has done something else before it. Then the next calls of the thread are measured from their own beginnings.

use std::cell::Cell;

use super::watchdog::{self, HoldTime, Slot};
use crate::nif::{ClockTicks, per_millisecond};
use crate::runtime::registry::ClauseEntry;
use crate::stack::ThreadMemory;

/// How many calls are measured after one that seemed to be long.
const MEASURED: u64 = 64;

/// A call that takes at least this share of a millisecond, five microseconds, is not short.
const SHARE: u64 = 200;

#[derive(Clone, Copy)]
pub(crate) struct CallClock<'t> {
    /// What the thread keeps from call to call: how many calls are still to be measured, or, where that is a larger number, when the
    /// last call ended. In the beginning it is 0. `None`: the call is measured.
    thread: Option<&'t Cell<u64>>,
    /// Where the watchdog sees the call.
    slot: Option<&'static Slot>,
}

/// What a call has taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::runtime) struct CallTime {
    /// At most so many ticks.
    pub(in crate::runtime) ticks: u64,
    /// Whether it was measured, or is short.
    pub(in crate::runtime) is_exact: bool,
}

impl<'t> CallClock<'t> {
    /// The clock of a call that is measured, and not watched.
    pub(in crate::runtime) const MEASURING: CallClock<'static> = CallClock {
        thread: None,
        slot: None,
    };

    /// The clock of a call on a normal scheduler.
    #[inline]
    pub(in crate::runtime) fn new(kept: &'t ThreadMemory) -> Self {
        CallClock {
            thread: Some(&kept.clock),
            slot: watchdog::slot(kept),
        }
    }

    /// The same, and it is measured.
    #[inline]
    pub(in crate::runtime) fn measuring(kept: &'t ThreadMemory) -> Self {
        CallClock {
            thread: None,
            slot: watchdog::slot(kept),
        }
    }

    /// A clause runs from here on. That is all a call does for the watchdog, but for [`CallClock::end`].
    #[inline]
    pub(in crate::runtime) fn enter(self, clause: &'static ClauseEntry, began: ClockTicks) {
        if let Some(slot) = self.slot {
            slot.enter(clause, began);
        }
    }

    /// What the watchdog has seen of the call that began then, if it has seen it.
    #[cold]
    pub(in crate::runtime) fn held(self, began: ClockTicks) -> Option<HoldTime> {
        self.slot?.held(began)
    }

    #[inline]
    fn is_measuring(self) -> bool {
        self.thread.is_none_or(|thread| thread.get() <= MEASURED)
    }

    /// When the call begins, which is now.
    #[inline]
    pub(in crate::runtime) fn begin(self) -> ClockTicks {
        match self.thread {
            Some(thread) if thread.get() > MEASURED => ClockTicks(thread.get()),
            Some(_) | None => ClockTicks::now(),
        }
    }

    /// When the call began, for who needs to know. If that is not known, it begins now.
    #[inline]
    pub(in crate::runtime) fn measure(self, began: ClockTicks) -> ClockTicks {
        match self.thread {
            Some(thread) if thread.get() > MEASURED => {
                thread.set(1);
                let now = ClockTicks::now();
                if let Some(slot) = self.slot {
                    slot.begins(now);
                }
                now
            }
            Some(_) | None => began,
        }
    }

    #[inline]
    pub(in crate::runtime) fn end(self, began: ClockTicks) -> CallTime {
        let now = ClockTicks::now();
        if let Some(slot) = self.slot {
            slot.leave();
        }
        let ticks = now.since(began);
        let is_short = ticks.saturating_mul(SHARE) < per_millisecond();
        let is_exact = is_short || self.is_measuring();
        if let Some(thread) = self.thread {
            thread.set(match thread.get() {
                _ if !is_short => MEASURED,
                0 => MEASURED,
                left @ 2..=MEASURED => left - 1,
                _ => now.0,
            });
        }
        CallTime { ticks, is_exact }
    }
}

impl CallTime {
    /// What is charged to the process. If the call may have been short, that is what a short one may take.
    #[inline]
    pub(in crate::runtime) fn charged(self) -> u64 {
        match self.is_exact {
            true => self.ticks,
            false => per_millisecond() / SHARE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock_of(thread: &Cell<u64>) -> CallClock<'_> {
        CallClock {
            thread: Some(thread),
            slot: None,
        }
    }

    /// A call of a thread, before which `ticks` have passed since the call before it, if there was one, ended.
    fn call(thread: &Cell<u64>, ticks: u64) -> CallTime {
        if thread.get() > MEASURED {
            thread.set(thread.get() - ticks);
        }
        let clock = clock_of(thread);
        clock.end(clock.begin())
    }

    #[test]
    fn a_thread_measures_until_its_calls_are_short_for_a_while() {
        let thread = Cell::new(0);
        for _ in 0..MEASURED {
            assert!(clock_of(&thread).is_measuring());
            call(&thread, 0);
        }
        // Unless another program had the processor: then it goes on measuring.
        while clock_of(&thread).is_measuring() {
            call(&thread, 0);
        }
        let later = call(&thread, per_millisecond());
        assert!(
            !later.is_exact && later.ticks >= per_millisecond(),
            "{later:?}"
        );
        assert!(later.charged() < per_millisecond() / 100);
        assert!(clock_of(&thread).is_measuring());
    }

    #[test]
    fn a_long_call_is_measured_from_where_that_is_asked_for() {
        let ended = ClockTicks::now().0 - per_millisecond();
        let thread = Cell::new(ended);
        let clock = clock_of(&thread);
        let assumed = clock.begin();
        assert_eq!(assumed, ClockTicks(ended));
        let began = clock.measure(assumed);
        assert!(began > assumed && clock.measure(began) == began);
        assert!(clock.end(began).is_exact);
    }
}
