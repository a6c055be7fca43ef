//! Decides on which kind of scheduler a clause is called.
//!
//! A clause that has held a normal scheduler for long is called on a dirty one from its next call,
//! where it delays no other process. After a number of short calls on the dirty scheduler, it
//! returns to normal ones. A call reads once where its clause belongs, and writes only if that
//! changes.
//!
//! The watchdog misses calls of one or two milliseconds. The clock measures them, but cannot tell
//! whether the clause worked or was preempted. When only the clock has found several calls to be
//! long, the processor time of the clause's next calls is measured.

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use crate::nif::{ClockTicks, OsThread, Scheduler, duration_of, per_millisecond};

/// If only the clock has found this many calls within [`TOGETHER`] to be long, the next calls are
/// measured.
const ENOUGH: u32 = 8;
const TOGETHER: Duration = Duration::from_secs(1);

/// The number of calls that are measured then. Each measurement asks the system for the thread's
/// time.
const MEASURED: u32 = 64;

/// The value for a clause on normal schedulers whose calls are measured.
const SUSPECT: u8 = 3;

/// A clause returns to normal schedulers after this many short calls on a dirty one, because the
/// switch makes each call more expensive.
const COMES_BACK: u32 = 64;

/// The number of short calls that are discounted by a call that is neither short nor long. A single
/// such call, which may have been preempted, does not reset the count.
const BETWEEN: u32 = 8;

/// A call that takes at most a millisecond divided by this, 100 µs, is short.
const SHORT: u64 = 10;

/// How it is known that a call was long.
pub(in crate::runtime) enum Evidence {
    /// The watchdog saw the call, or its processor time was measured.
    Seen {
        /// The time that it had a processor.
        worked: Duration,
        /// The time that it waited in a system call.
        waited: Duration,
    },
    /// Only the clock says so.
    Clock,
}

/// The kind of scheduler on which a clause is called.
#[derive(Debug)]
pub struct ClauseScheduler {
    /// The number of a scheduler's kind, or [`SUSPECT`].
    on: AtomicU8,
    /// The number of long calls while the clause is on normal schedulers, of calls that still have
    /// to be measured while it is suspect, or of short calls while it is on dirty ones.
    count: AtomicU32,
    /// When the first of the long calls ended.
    since: AtomicU64,
    /// Whether the program fixes where it runs.
    is_pinned: bool,
}

impl ClauseScheduler {
    /// Creates the value of a clause that starts on normal schedulers.
    pub const fn new() -> Self {
        ClauseScheduler {
            on: AtomicU8::new(0),
            count: AtomicU32::new(0),
            since: AtomicU64::new(0),
            is_pinned: false,
        }
    }

    /// Returns the value that all clauses share whose scheduler the program fixes.
    pub fn pinned() -> &'static Self {
        static PINNED: ClauseScheduler = ClauseScheduler {
            is_pinned: true,
            ..ClauseScheduler::new()
        };
        &PINNED
    }

    /// Returns the kind of dirty scheduler, if the clause is called on one.
    #[inline]
    pub(in crate::runtime) fn moved(&self) -> Option<Scheduler> {
        match self.on.load(Ordering::Relaxed) {
            0 | SUSPECT => None,
            1 => Some(Scheduler::DirtyCpu),
            _ => Some(Scheduler::DirtyIo),
        }
    }

    /// Returns whether the clause is called on a normal scheduler and not measured, which is all
    /// that most calls need to know.
    #[inline]
    pub(in crate::runtime) fn is_unmoved(&self) -> bool {
        self.on.load(Ordering::Relaxed) == 0
    }

    /// Returns whether a call that starts on a normal scheduler is measured.
    #[cold]
    pub(in crate::runtime) fn is_measured(&self) -> bool {
        let is_suspect = self.on.load(Ordering::Relaxed) == SUSPECT;
        if is_suspect && self.count.fetch_sub(1, Ordering::Relaxed) <= 1 {
            self.move_to(Scheduler::Normal);
        }
        is_suspect
    }

    fn move_to(&self, scheduler: Scheduler) {
        self.count.store(0, Ordering::Relaxed);
        let on = match scheduler {
            Scheduler::Normal => 0,
            Scheduler::DirtyCpu => 1,
            Scheduler::DirtyIo => 2,
        };
        self.on.store(on, Ordering::Relaxed);
    }

    /// Records a long call on a normal scheduler. Returns the kind of scheduler of the next call,
    /// if it changes.
    #[cold]
    pub(in crate::runtime) fn was_long(&self, evidence: Evidence) -> Option<Scheduler> {
        if self.is_pinned || self.moved().is_some() {
            return None;
        }
        let scheduler = match evidence {
            Evidence::Seen { worked, waited } if waited > worked => Scheduler::DirtyIo,
            Evidence::Seen { .. } => Scheduler::DirtyCpu,
            Evidence::Clock if self.on.load(Ordering::Relaxed) == SUSPECT => return None,
            Evidence::Clock if !self.are_enough(ClockTicks::now()) => return None,
            Evidence::Clock if !OsThread::IS_KNOWN => Scheduler::DirtyCpu,
            Evidence::Clock => {
                self.count.store(MEASURED, Ordering::Relaxed);
                self.on.store(SUSPECT, Ordering::Relaxed);
                return None;
            }
        };
        self.move_to(scheduler);
        Some(scheduler)
    }

    /// Counts a call that is long according to the clock alone. Returns whether there are enough of
    /// them. If two threads count at the same time, one call may be lost.
    fn are_enough(&self, now: ClockTicks) -> bool {
        let since = ClockTicks(self.since.load(Ordering::Relaxed));
        if duration_of(now.since(since)) > TOGETHER {
            self.since.store(now.0, Ordering::Relaxed);
            self.count.store(1, Ordering::Relaxed);
            return false;
        }
        self.count.fetch_add(1, Ordering::Relaxed) + 1 >= ENOUGH
    }

    /// Records the end of a call on a dirty scheduler.
    pub(in crate::runtime) fn ran_dirty(&self, ticks: u64) {
        if self.moved().is_none() {
            return;
        }
        if ticks >= per_millisecond() {
            self.count.store(0, Ordering::Relaxed);
        } else if ticks.saturating_mul(SHORT) > per_millisecond() {
            let count = self.count.load(Ordering::Relaxed);
            self.count
                .store(count.saturating_sub(BETWEEN), Ordering::Relaxed);
        } else if self.count.fetch_add(1, Ordering::Relaxed) + 1 >= COMES_BACK {
            self.move_to(Scheduler::Normal);
        }
    }
}

impl Default for ClauseScheduler {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(worked: u64, waited: u64) -> Evidence {
        let [worked, waited] = [worked, waited].map(Duration::from_millis);
        Evidence::Seen { worked, waited }
    }

    #[test]
    fn one_that_was_seen_moves_at_once_and_comes_back_when_it_is_short() {
        let clause = ClauseScheduler::new();
        assert_eq!(clause.was_long(seen(4, 0)), Some(Scheduler::DirtyCpu));
        (1..COMES_BACK).for_each(|_| clause.ran_dirty(0));
        clause.ran_dirty(per_millisecond());
        assert_eq!(clause.moved(), Some(Scheduler::DirtyCpu));
        (1..COMES_BACK).for_each(|_| clause.ran_dirty(0));
        clause.ran_dirty(per_millisecond() / 2);
        (1..=BETWEEN).for_each(|_| clause.ran_dirty(0));
        assert_eq!(clause.moved(), Some(Scheduler::DirtyCpu));
        clause.ran_dirty(0);
        assert_eq!(clause.moved(), None);
        assert_eq!(clause.was_long(seen(1, 7)), Some(Scheduler::DirtyIo));
    }

    #[test]
    fn one_that_the_clock_alone_has_seen_is_measured_for_some_calls() {
        if !OsThread::IS_KNOWN {
            return;
        }
        let clause = ClauseScheduler::new();
        let long = || assert_eq!(clause.was_long(Evidence::Clock), None);
        (1..ENOUGH).for_each(|_| long());
        assert!(clause.is_unmoved() && !clause.is_measured());
        long();
        assert!((0..MEASURED).all(|_| clause.is_measured()));
        assert!(clause.is_unmoved() && !clause.is_measured());
        (0..ENOUGH).for_each(|_| long());
        assert!(clause.is_measured());
        assert_eq!(clause.was_long(seen(2, 0)), Some(Scheduler::DirtyCpu));
    }

    #[test]
    fn one_that_the_clock_alone_has_seen_moves_where_nobody_can_measure() {
        if OsThread::IS_KNOWN {
            return;
        }
        let clause = ClauseScheduler::new();
        let moved = (1..100).find(|_| clause.was_long(Evidence::Clock).is_some());
        assert_eq!(moved, Some(ENOUGH));
    }

    #[test]
    fn one_that_is_pinned_stays() {
        let clause = ClauseScheduler::pinned();
        assert_eq!(clause.was_long(seen(500, 0)), None);
        assert_eq!(clause.moved(), None);
    }
}
