//! Measures how long a call from the VM takes, with as few reads of the clock as possible.
//!
//! Reading the clock takes as long as a short callback's own work. While calls follow each other
//! closely on a thread, the clock is read only at the end of every sixteenth call. All calls
//! between two reads are assumed to have started at the first of them, which is never too late. If
//! they are short in total, each of them is short. If not, one of them may have been long, or the
//! thread did something else between them. Then the thread's next calls are measured with a read at
//! the start of each.
//!
//! The watchdog notices a long call among them. At the end of such a call, the clock is read as
//! well.

use super::observer;
use super::slot::{self, HoldTime, Slot};
use super::watchdog;
use crate::nif::{ClockTicks, ProcessWord, per_millisecond};
use crate::runtime::registry::RunningClause;
use crate::stack::ThreadMemory;

/// The number of calls that are measured after one that seemed to be long.
const MEASURED: u64 = 64;

/// While calls are short, the clock is read at the end of one in this many calls.
const READ_EVERY: u32 = 16;

/// A call that takes at least a millisecond divided by this, five microseconds, is not short.
const SHARE: u64 = 200;

#[derive(Clone, Copy)]
pub(crate) struct CallClock<'t> {
    /// State of the thread between calls. `clock` is the number of calls that still have to be
    /// measured or, if it is a larger number, the time of the last read; its initial value is 0.
    /// `unread` is the number of calls that have ended since. `None` if the call is measured.
    thread: Option<&'t ThreadMemory>,
    /// The slot in which the watchdog sees the call.
    slot: Option<&'static Slot>,
}

/// The duration of a call, or of several calls together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::runtime) struct CallTime {
    /// The largest number of ticks that the call may have taken.
    pub(in crate::runtime) ticks: u64,
    /// Whether the call was measured, or is known to be short.
    pub(in crate::runtime) is_exact: bool,
}

impl<'t> CallClock<'t> {
    /// The clock of a call that is measured but not watched.
    pub(in crate::runtime) const MEASURING: CallClock<'static> = CallClock {
        thread: None,
        slot: None,
    };

    /// Returns the clock of a call on a normal scheduler. An observed call is measured.
    #[inline]
    pub(in crate::runtime) fn new(kept: &'t ThreadMemory) -> Self {
        CallClock {
            thread: (!observer::is_active()).then_some(kept),
            slot: slot::of_thread(kept),
        }
    }

    /// Returns the clock of a call on a normal scheduler that is measured.
    #[inline]
    pub(in crate::runtime) fn measuring(kept: &'t ThreadMemory) -> Self {
        CallClock {
            thread: None,
            slot: slot::of_thread(kept),
        }
    }

    /// Records that a clause starts to run. Apart from the end of the call, this is all that a call
    /// does for the watchdog and for the list of running callbacks.
    #[inline]
    pub(in crate::runtime) fn enter(
        self,
        began: ClockTicks,
        (process, clause): (ProcessWord, &RunningClause),
    ) {
        if let Some(slot) = self.slot {
            slot.runs(process, clause);
            slot.enter(began);
            watchdog::begun();
        }
    }

    /// Starts to measure the processor time of this call.
    #[cold]
    pub(in crate::runtime) fn measure_work(self) {
        if let Some(slot) = self.slot {
            slot.measure_work();
        }
    }

    /// Returns how long the call that has just ended held its scheduler, as far as the watchdog has
    /// seen or it was measured. `began` is the recorded start of the call.
    #[cold]
    pub(in crate::runtime) fn held(self, began: ClockTicks) -> Option<HoldTime> {
        self.slot?.held(began)
    }

    #[inline]
    fn is_measuring(self) -> bool {
        self.thread
            .is_none_or(|thread| thread.clock.get() <= MEASURED)
    }

    /// Returns the start of the call that begins now: the time of the last read, unless the call is
    /// measured.
    #[inline]
    pub(in crate::runtime) fn begin(self) -> ClockTicks {
        match self.thread {
            Some(thread) if thread.clock.get() > MEASURED => ClockTicks(thread.clock.get()),
            Some(_) | None => ClockTicks::now(),
        }
    }

    /// Returns when the call began, for code that needs a measured time. If the start was not
    /// measured, the call counts as started now.
    #[inline]
    pub(in crate::runtime) fn measure(self, began: ClockTicks) -> ClockTicks {
        match self.thread {
            Some(thread) if thread.clock.get() > MEASURED => {
                thread.clock.set(1);
                thread.unread.set(0);
                let now = ClockTicks::now();
                if let Some(slot) = self.slot {
                    slot.begins(now);
                }
                now
            }
            Some(_) | None => began,
        }
    }

    /// Ends the call without reading the clock, if possible. Returns whether it was. Then the time
    /// of this call is included in that of a later call.
    #[inline]
    pub(in crate::runtime) fn end_unread(self) -> bool {
        let (Some(thread), Some(slot)) = (self.thread, self.slot) else {
            return false;
        };
        let unread = thread.unread.get() + 1;
        if thread.clock.get() <= MEASURED || unread >= READ_EVERY || slot.is_seen() {
            return false;
        }
        thread.unread.set(unread);
        slot.leave();
        true
    }

    /// Ends the call with this recorded start. The result covers all calls since the clock was last
    /// read.
    pub(in crate::runtime) fn end(self, began: ClockTicks) -> CallTime {
        let now = ClockTicks::now();
        if let Some(slot) = self.slot {
            slot.leave();
        }
        let ticks = now.since(began);
        let calls = self.thread.map_or(1, |thread| thread.unread.take() + 1);
        let is_short = ticks.saturating_mul(SHARE) < per_millisecond() * u64::from(calls);
        let is_exact = is_short || self.is_measuring();
        if let Some(thread) = self.thread {
            thread.clock.set(match thread.clock.get() {
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
    /// Returns the ticks to charge to the process. If the call may have been short, these are the
    /// ticks of the longest short call.
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

    fn clock_of(thread: &ThreadMemory) -> CallClock<'_> {
        CallClock {
            thread: Some(thread),
            slot: None,
        }
    }

    /// Simulates a call of a thread that ends `ticks` after the previous read of the clock.
    fn call(thread: &ThreadMemory, ticks: u64) -> CallTime {
        if thread.clock.get() > MEASURED {
            thread.clock.set(thread.clock.get() - ticks);
        }
        let clock = clock_of(thread);
        clock.end(clock.begin())
    }

    /// Returns a thread whose calls were short for a while.
    fn short_calls() -> ThreadMemory {
        let thread = ThreadMemory::new();
        // If another program had the processor, the thread still measures.
        while clock_of(&thread).is_measuring() {
            call(&thread, 0);
        }
        thread
    }

    #[test]
    fn a_thread_measures_until_its_calls_are_short_for_a_while() {
        let thread = ThreadMemory::new();
        for _ in 0..MEASURED {
            assert!(clock_of(&thread).is_measuring());
            call(&thread, 0);
        }
        let thread = short_calls();
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
        let thread = ThreadMemory::new();
        let ended = ClockTicks::now().0 - per_millisecond();
        thread.clock.set(ended);
        let clock = clock_of(&thread);
        let assumed = clock.begin();
        assert_eq!(assumed, ClockTicks(ended));
        let began = clock.measure(assumed);
        assert!(began > assumed && clock.measure(began) == began);
        assert!(clock.end(began).is_exact);
    }

    #[test]
    fn calls_that_did_not_read_the_clock_are_short_if_they_are_so_together() {
        let kept = short_calls();
        let watched = CallClock::new(&kept);
        let Some(slot) = watched.slot else {
            return;
        };
        let began = watched.begin();
        for _ in 1..READ_EVERY {
            slot.enter(began);
            assert!(watched.end_unread());
        }
        slot.enter(began);
        assert!(!watched.end_unread(), "one in so many reads it");
        // In total longer than one short call may take, but not as long as sixteen.
        let each = per_millisecond() / SHARE;
        kept.clock.set(ClockTicks::now().0 - 2 * each);
        let began = watched.begin();
        let all = watched.end(began);
        assert!(all.ticks >= 2 * each);
        // On a slow machine it may have taken longer. Then the thread measures again.
        assert_eq!(
            all.is_exact,
            !watched.is_measuring(),
            "{all:?}, {each} ticks"
        );
        assert_eq!(kept.unread.get(), 0);
    }
}
