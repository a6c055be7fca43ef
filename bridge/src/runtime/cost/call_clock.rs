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

use std::sync::atomic::Ordering;

use super::observer;
use super::slot::{HoldTime, Slot};
use super::watchdog;
use crate::nif::{ClockTicks, ProcessWord, per_millisecond};
use crate::runtime::registry::RunningClause;

/// The number of calls that are measured after one that seemed to be long.
const MEASURED: u64 = 64;

/// While calls are short, the clock is read at the end of one in this many calls.
const READ_EVERY: u64 = 16;

/// A call that takes at least a millisecond divided by this, five microseconds, is not short.
const SHARE: u64 = 200;

/// The clock of a call. The slot contains the state that the calls of a thread share.
#[derive(Clone, Copy)]
pub(crate) struct CallClock<'t> {
    slot: &'t Slot,
    /// Whether the call is measured, however short the thread's earlier calls were.
    is_measured: bool,
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
    /// Starts a call. It is measured if the thread's last calls seemed to be long, or if it is
    /// observed.
    #[inline]
    pub(in crate::runtime) fn start(slot: &'t Slot) -> Self {
        let is_measured = observer::is_active();
        if is_measured || slot.due.load(Ordering::Relaxed) == 0 {
            measure_from_now(slot);
        }
        CallClock { slot, is_measured }
    }

    /// Starts a call that is measured.
    pub(in crate::runtime) fn measuring(slot: &'t Slot) -> Self {
        measure_from_now(slot);
        let is_measured = true;
        CallClock { slot, is_measured }
    }

    /// Records that a clause starts to run. Apart from the end of the call, this is all that a call
    /// does for the watchdog and for the list of running callbacks.
    #[inline]
    pub(in crate::runtime) fn enter(self, process: ProcessWord, clause: &'static RunningClause) {
        self.slot.enter(process, clause);
    }

    /// Starts to measure the processor time of this call.
    #[cold]
    pub(in crate::runtime) fn measure_work(self) {
        self.slot.measure_work();
    }

    /// Returns how long the call that has just ended held its scheduler, as far as the watchdog has
    /// seen or it was measured. `began` is the recorded start of the call.
    #[cold]
    pub(in crate::runtime) fn held(self, began: ClockTicks) -> Option<HoldTime> {
        self.slot.held(began)
    }

    /// Returns the recorded start of the running call: the time of the last read, unless the call
    /// is measured.
    #[inline]
    pub(in crate::runtime) fn began(self) -> ClockTicks {
        recorded_start(self.slot)
    }

    /// Measures the call from now on, if its start was not measured.
    #[inline]
    pub(in crate::runtime) fn measure(self) {
        if !is_measuring(self.slot) {
            measure_from_now(self.slot);
        }
    }

    /// Ends the call without reading the clock, if possible. Returns whether it was. Then the time
    /// of this call is included in that of a later call.
    #[inline]
    pub(in crate::runtime) fn end_unread(self) -> bool {
        let ended = self.slot.after_call();
        let is_unread = ended < self.slot.due.load(Ordering::Relaxed);
        if is_unread {
            self.slot.call.store(ended, Ordering::Release);
        }
        is_unread
    }

    /// Ends the call. The result covers all calls since the clock was last read.
    pub(in crate::runtime) fn end(self) -> CallTime {
        let (slot, now) = (self.slot, ClockTicks::now());
        watchdog::begun();
        let ticks = now.since(self.began());
        let ended = slot.after_call();
        slot.call.store(ended, Ordering::Release);
        let calls = (ended - slot.read_at.load(Ordering::Relaxed)) / 2;
        let is_short = ticks.saturating_mul(SHARE) < per_millisecond() * calls;
        let is_exact = is_short || is_measuring(slot);
        let clock = match slot.clock.load(Ordering::Relaxed) {
            _ if !is_short && !self.is_measured => MEASURED,
            0 => MEASURED,
            left @ 2..=MEASURED => left - 1,
            _ => now.0,
        };
        slot.clock.store(clock, Ordering::Relaxed);
        slot.read_at.store(ended, Ordering::Relaxed);
        let due = if is_measuring(slot) {
            0
        } else {
            ended + 2 * READ_EVERY
        };
        slot.due.store(due, Ordering::Relaxed);
        CallTime { ticks, is_exact }
    }
}

fn is_measuring(slot: &Slot) -> bool {
    slot.clock.load(Ordering::Relaxed) <= MEASURED
}

/// Returns the recorded start of a slot's call.
pub(super) fn recorded_start(slot: &Slot) -> ClockTicks {
    let clock = slot.clock.load(Ordering::Relaxed);
    ClockTicks(if clock > MEASURED {
        clock
    } else {
        slot.began.load(Ordering::Relaxed)
    })
}

/// Measures the running call of a slot, or the one that starts.
#[cold]
#[inline(never)]
fn measure_from_now(slot: &Slot) {
    if !is_measuring(slot) {
        slot.clock.store(1, Ordering::Relaxed);
    }
    watchdog::begun();
    slot.due.store(0, Ordering::Relaxed);
    slot.read_at.store(slot.before_call(), Ordering::Relaxed);
    slot.began.store(ClockTicks::now().0, Ordering::Relaxed);
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
    use std::num::NonZeroUsize;

    use super::*;
    use crate::runtime::registry::library;
    use crate::runtime::registry::without_callback::clause_at;

    fn enter(clock: CallClock<'_>) {
        library::set(c"measured");
        let process = ProcessWord::of_test(NonZeroUsize::MIN);
        clock.enter(process, clause_at(std::panic::Location::caller()));
    }

    /// Starts a call that seems to have begun `ticks` ago.
    fn call(slot: &Slot, ticks: u64) -> CallClock<'_> {
        let clock = CallClock::start(slot);
        enter(clock);
        let began = if is_measuring(slot) {
            &slot.began
        } else {
            &slot.clock
        };
        began.fetch_sub(ticks, Ordering::Relaxed);
        clock
    }

    /// Returns a slot whose calls were short for a while.
    fn short_calls() -> Slot {
        let slot = Slot::new();
        // If another program had the processor, the thread still measures.
        while is_measuring(&slot) {
            call(&slot, 0).end();
        }
        slot
    }

    #[test]
    fn a_thread_measures_until_its_calls_are_short_for_a_while() {
        let slot = Slot::new();
        for _ in 0..MEASURED {
            let clock = call(&slot, 0);
            assert!(is_measuring(&slot) && !clock.end_unread());
            clock.end();
        }
        let slot = short_calls();
        let later = call(&slot, per_millisecond()).end();
        assert!(
            !later.is_exact && later.ticks >= per_millisecond(),
            "{later:?}"
        );
        assert!(later.charged() < per_millisecond() / 100);
        assert!(is_measuring(&slot));
    }

    #[test]
    fn a_long_call_is_measured_from_where_that_is_asked_for() {
        let slot = short_calls();
        let clock = call(&slot, per_millisecond());
        let assumed = clock.began();
        clock.measure();
        let began = clock.began();
        assert!(began.since(assumed) >= per_millisecond());
        clock.measure();
        assert_eq!(clock.began(), began);
        assert!(!clock.end_unread() && clock.end().is_exact);
    }

    #[test]
    fn a_measured_call_does_not_cause_the_next_ones_to_be_measured() {
        let slot = short_calls();
        let clock = CallClock::measuring(&slot);
        enter(clock);
        slot.began.fetch_sub(per_millisecond(), Ordering::Relaxed);
        assert!(clock.end().is_exact);
        assert!(call(&slot, 0).end_unread());
    }

    #[test]
    fn calls_that_did_not_read_the_clock_are_short_if_they_are_so_together() {
        let slot = short_calls();
        CallClock::measuring(&slot).end();
        for _ in 1..READ_EVERY {
            assert!(call(&slot, 0).end_unread());
        }
        // In total longer than one short call may take, but not as long as sixteen.
        let each = per_millisecond() / SHARE;
        let clock = call(&slot, 2 * each);
        assert!(!clock.end_unread(), "one in so many reads it");
        let all = clock.end();
        assert!(all.ticks >= 2 * each);
        // On a slow machine it may have taken longer. Then the thread measures again.
        assert_eq!(all.is_exact, !is_measuring(&slot), "{all:?}, {each} ticks");
    }
}
