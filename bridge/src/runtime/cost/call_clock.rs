//! How long a call from the VM takes, with as few looks at the clock as that allows.
//!
//! Reading the clock takes as long as a short callback's own work. While calls follow each other
//! closely on a thread, it is read at the end of every sixteenth one, and all of them are taken to
//! have begun where the last one before them ended. That is never too late: if they seem to be
//! short together, each of them is. If they do not, one of them may have been long, or the thread
//! has done something else between them. Then the next calls of the thread are measured from their
//! own beginnings.
//!
//! The watchdog knows of a long call among them. Its end reads the clock as well.

use super::slot::{self, HoldTime, Slot};
use super::watchdog;
use crate::nif::{ClockTicks, ProcessWord, per_millisecond};
use crate::runtime::registry::RunningClause;
use crate::stack::ThreadMemory;

/// How many calls are measured after one that seemed to be long.
const MEASURED: u64 = 64;

/// While calls are short, the clock is read at the end of one in so many.
const READ_EVERY: u32 = 16;

/// A call that takes at least this share of a millisecond, five microseconds, is not short.
const SHARE: u64 = 200;

#[derive(Clone, Copy)]
pub(crate) struct CallClock<'t> {
    /// What the thread keeps from call to call: in `clock` how many calls are still to be measured,
    /// or, where that is a larger number, when the clock was last read; in the beginning it is 0.
    /// In `unread` how many calls have ended since. `None`: the call is measured.
    thread: Option<&'t ThreadMemory>,
    /// Where the watchdog sees the call.
    slot: Option<&'static Slot>,
}

/// What a call has taken, or several together.
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
            thread: Some(kept),
            slot: slot::of_thread(kept),
        }
    }

    /// The same, and it is measured.
    #[inline]
    pub(in crate::runtime) fn measuring(kept: &'t ThreadMemory) -> Self {
        CallClock {
            thread: None,
            slot: slot::of_thread(kept),
        }
    }

    /// A clause runs from here on. That is all a call does for the watchdog, and for who asks what
    /// runs, but for its end.
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

    /// The processor time of this call is measured from here on.
    #[cold]
    pub(in crate::runtime) fn measure_work(self) {
        if let Some(slot) = self.slot {
            slot.measure_work();
        }
    }

    /// What is known of the call that has just ended and began then: what the watchdog has seen, or
    /// what was measured.
    #[cold]
    pub(in crate::runtime) fn held(self, began: ClockTicks) -> Option<HoldTime> {
        self.slot?.held(began)
    }

    #[inline]
    fn is_measuring(self) -> bool {
        self.thread
            .is_none_or(|thread| thread.clock.get() <= MEASURED)
    }

    /// When the call begins, which is now.
    #[inline]
    pub(in crate::runtime) fn begin(self) -> ClockTicks {
        match self.thread {
            Some(thread) if thread.clock.get() > MEASURED => ClockTicks(thread.clock.get()),
            Some(_) | None => ClockTicks::now(),
        }
    }

    /// When the call began, for who needs to know. If that is not known, it begins now.
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

    /// Ends the call without a look at the clock. Returns whether that was possible: then a later
    /// call's time has this one's in it.
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

    /// Ends the call that began then. Its time is that of all calls since the clock was last read.
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
    /// What is charged to the process. If the call may have been short, that is what a short one
    /// may take.
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

    /// A call of a thread, before which `ticks` have passed since the call before it, if there was
    /// one, ended.
    fn call(thread: &ThreadMemory, ticks: u64) -> CallTime {
        if thread.clock.get() > MEASURED {
            thread.clock.set(thread.clock.get() - ticks);
        }
        let clock = clock_of(thread);
        clock.end(clock.begin())
    }

    /// A thread whose calls were short for a while.
    fn short_calls() -> ThreadMemory {
        let thread = ThreadMemory::new();
        // If another program had the processor, it goes on measuring.
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
        // Together they took longer than one short call may, and not as long as sixteen.
        let each = per_millisecond() / SHARE;
        kept.clock.set(ClockTicks::now().0 - 2 * each);
        let began = watched.begin();
        let all = watched.end(began);
        assert!(all.ticks >= 2 * each);
        // A slow machine may have taken longer. Then the thread measures again.
        assert_eq!(
            all.is_exact,
            !watched.is_measuring(),
            "{all:?}, {each} ticks"
        );
        assert_eq!(kept.unread.get(), 0);
    }
}
