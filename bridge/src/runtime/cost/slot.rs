//! A slot per scheduler thread with the clause that it runs. The thread writes it. The watchdog and
//! the list of running callbacks read it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering, fence};
use std::time::Duration;

use super::watchdog::{Since, WatchedCall};
use crate::nif::{ClockTicks, OsThread, ProcessWord};
use crate::runtime::registry::{RunningClause, SharedClause};
use crate::stack::ThreadMemory;

/// The largest number of normal schedulers of a VM.
pub(super) const MOST: usize = 1024;

/// The call that a scheduler thread runs. No two threads write to the same cache line. The thread's
/// own fields are in the first one.
#[repr(C, align(64))]
pub(in crate::runtime) struct Slot {
    /// The number of the running call, which is odd. Between two calls, it is one more than the
    /// number of the last call.
    pub(super) call: AtomicU64,
    /// The number of the first call whose end reads the clock. It is 0 while calls are measured,
    /// and after the watchdog has seen a call for long or has fallen asleep.
    pub(super) due: AtomicU64,
    /// The number of calls that still have to be measured or, if it is a larger number, the time of
    /// the last read; its initial value is 0.
    pub(super) clock: AtomicU64,
    /// The process of the call, and the running clause.
    process: AtomicUsize,
    clause: SharedClause,
    /// The start of the call, if the call is measured.
    pub(super) began: AtomicU64,
    /// The number after the last call whose end has read the clock.
    pub(super) read_at: AtomicU64,
    pub(super) thread: OnceLock<OsThread>,
    /// The last long call that the watchdog has seen, when it first saw the call, and for how many
    /// nanoseconds the call has worked and waited.
    seen: AtomicU64,
    first: AtomicU64,
    worked: AtomicU64,
    waited: AtomicU64,
    /// The call whose processor time is measured, since when, and the thread's processor time
    /// before it, in nanoseconds. Only the thread itself uses these fields.
    measured: AtomicU64,
    measured_from: AtomicU64,
    worked_before: AtomicU64,
}

/// How long a call was seen to hold its scheduler. If the call was not measured, the real time may
/// be about two milliseconds longer.
#[derive(Debug, Clone, Copy)]
pub(in crate::runtime) struct HoldTime {
    /// Ticks between its recorded start and the moment it was first seen.
    pub(in crate::runtime) missed: u64,
    /// The time that it had a processor.
    pub(in crate::runtime) worked: Duration,
    /// The time that it waited in a system call.
    pub(in crate::runtime) waited: Duration,
}

impl HoldTime {
    pub(in crate::runtime) fn time(self) -> Duration {
        self.worked + self.waited
    }
}

/// The number of a thread that gets no slot: the system has no numbers for threads, or there are
/// more threads than slots.
const NO_SLOT: usize = MOST;

pub(super) static SLOTS: [Slot; MOST] = [const { Slot::new() }; MOST];

/// The number of slots that have a thread. The unused slots come after them.
pub(super) static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// Runs a call with the slot of the calling thread, which is a normal scheduler. If there are more
/// threads than slots, the call has a slot of its own, which the watchdog does not see.
#[inline]
pub(in crate::runtime) fn with<T>(kept: &ThreadMemory, call: impl FnOnce(&Slot) -> T) -> T {
    let own;
    call(match of_thread(kept) {
        Some(slot) => slot,
        None => {
            own = Slot::new();
            &own
        }
    })
}

/// Returns the slot of the calling thread, which is a normal scheduler.
#[inline]
pub(in crate::runtime) fn of_thread(kept: &ThreadMemory) -> Option<&'static Slot> {
    match SLOTS.get(kept.slot.get()) {
        None => take(kept),
        slot => slot,
    }
}

/// Assigns a slot at the first call of a thread.
#[cold]
#[inline(never)]
fn take(kept: &ThreadMemory) -> Option<&'static Slot> {
    if kept.slot.get() == NO_SLOT {
        return None;
    }
    let Some(thread) = OsThread::current() else {
        kept.slot.set(NO_SLOT);
        return None;
    };
    let number = TAKEN.fetch_add(1, Ordering::Relaxed);
    kept.slot.set(number.min(NO_SLOT));
    let slot = SLOTS.get(number)?;
    // No other thread has this number.
    let _ = slot.thread.set(thread);
    Some(slot)
}

/// Returns whether this is the number of a call, and not of a pause between two calls.
pub(super) fn runs(number: u64) -> bool {
    number & 1 == 1
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

impl Slot {
    /// Creates a slot that no other thread reads.
    pub(in crate::runtime) const fn new() -> Self {
        Slot {
            call: AtomicU64::new(0),
            due: AtomicU64::new(0),
            clock: AtomicU64::new(0),
            process: AtomicUsize::new(0),
            clause: SharedClause::new(),
            began: AtomicU64::new(0),
            read_at: AtomicU64::new(0),
            thread: OnceLock::new(),
            seen: AtomicU64::new(0),
            first: AtomicU64::new(0),
            worked: AtomicU64::new(0),
            waited: AtomicU64::new(0),
            measured: AtomicU64::new(0),
            measured_from: AtomicU64::new(0),
            worked_before: AtomicU64::new(0),
        }
    }

    /// Marks the start of a call, with its process and its clause. Only the slot's thread writes to
    /// the first cache line, except for `due`.
    #[inline]
    pub(super) fn enter(&self, process: ProcessWord, clause: &'static RunningClause) {
        self.process.store(process.number(), Ordering::Relaxed);
        self.clause.set(clause);
        let call = self.call.load(Ordering::Relaxed) + 1;
        self.call.store(call | 1, Ordering::Release);
    }

    /// Returns the number after the running call.
    #[inline]
    pub(super) fn after_call(&self) -> u64 {
        (self.call.load(Ordering::Relaxed) + 1) & !1
    }

    /// Returns the number before the running call or, between two calls, before the next one.
    pub(super) fn before_call(&self) -> u64 {
        self.call.load(Ordering::Relaxed) & !1
    }

    /// Returns the process and the clause of the running call, and since when it runs, as far as
    /// the watchdog has seen it. If the call ends during this read, the clause may be that of the
    /// next call.
    pub(super) fn running(
        &self,
    ) -> Option<(ProcessWord, &'static RunningClause, Option<ClockTicks>)> {
        let call = self.call.load(Ordering::Acquire);
        let process = ProcessWord::of_number(self.process.load(Ordering::Relaxed))?;
        let clause = self.clause.get()?;
        let is_seen = self.seen.load(Ordering::Acquire) == call;
        let first = is_seen.then(|| ClockTicks(self.first.load(Ordering::Relaxed)));
        fence(Ordering::Acquire);
        let is_same = runs(call) && self.call.load(Ordering::Relaxed) == call;
        is_same.then_some((process, clause, first))
    }

    /// Measures the processor time of the running call or, between two calls, of the next one.
    pub(super) fn measure_work(&self) {
        if let Some(worked) = self.thread.get().and_then(|thread| thread.worked()) {
            let call = self.call.load(Ordering::Relaxed) | 1;
            let now = ClockTicks::now();
            self.measured_from.store(now.0, Ordering::Relaxed);
            self.worked_before
                .store(nanoseconds(worked), Ordering::Relaxed);
            self.measured.store(call, Ordering::Relaxed);
        }
    }

    /// Returns the time that was seen or measured of this thread's last call, whichever is longer.
    /// `began` is the recorded start of the call.
    pub(super) fn held(&self, began: ClockTicks) -> Option<HoldTime> {
        let last = self.call.load(Ordering::Relaxed).wrapping_sub(1);
        let known = [self.seen_of(last, began), self.measured_of(last, began)];
        known.into_iter().flatten().max_by_key(|held| held.time())
    }

    fn measured_of(&self, last: u64, began: ClockTicks) -> Option<HoldTime> {
        if self.measured.load(Ordering::Relaxed) != last {
            return None;
        }
        let before = Duration::from_nanos(self.worked_before.load(Ordering::Relaxed));
        Some(HoldTime {
            missed: ClockTicks(self.measured_from.load(Ordering::Relaxed)).since(began),
            worked: self.thread.get()?.worked()?.saturating_sub(before),
            waited: Duration::ZERO,
        })
    }

    fn seen_of(&self, last: u64, began: ClockTicks) -> Option<HoldTime> {
        let is_it = self.seen.load(Ordering::Acquire) == last;
        is_it.then(|| HoldTime {
            missed: ClockTicks(self.first.load(Ordering::Relaxed)).since(began),
            worked: Duration::from_nanos(self.worked.load(Ordering::Relaxed)),
            waited: Duration::from_nanos(self.waited.load(Ordering::Relaxed)),
        })
    }

    pub(super) fn says(&self, watched: &WatchedCall, since: Since) {
        if self.seen.load(Ordering::Relaxed) != watched.call {
            self.seen.store(0, Ordering::Release);
        }
        let worked = since.worked.saturating_sub(since.worked_before);
        self.first.store(watched.first.0, Ordering::Relaxed);
        self.worked.store(nanoseconds(worked), Ordering::Relaxed);
        self.waited
            .store(nanoseconds(since.waited), Ordering::Relaxed);
        self.seen.store(watched.call, Ordering::Release);
        // The end of the call reads the clock, and then the fields above.
        self.due.store(0, Ordering::Relaxed);
    }
}
