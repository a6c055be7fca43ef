//! A thread that sees which clauses hold a normal scheduler for long, while they do.
//!
//! Each scheduler thread has a slot with the number of the call that it runs and when that began:
//! two stores at a call's beginning and one at its end. Every millisecond the watchdog looks at the
//! slots. Only of a thread whose clause has been there for long it asks the operating system: how
//! long it has worked, and, if it has not, whether it waits. A clause that was interrupted by the
//! system has done neither. While nothing runs, the watchdog sleeps.
//!
//! Each version of an application has its own, in its own library. It ends before the library
//! leaves.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::nif::{ClockTicks, OsThread, duration_of, per_millisecond};
use crate::stack::ThreadMemory;

/// The VM has at most as many normal schedulers.
const MOST: usize = 1024;

/// How often the watchdog looks.
const LOOKS_EVERY: Duration = Duration::from_millis(1);

/// After so many looks at which nothing has run since the one before, it sleeps.
const SLEEPS_AFTER: u32 = 1000;

/// It wakes by itself after that, because a call that begins just when it falls asleep may not see
/// that it does.
const SLEEPS: Duration = Duration::from_secs(1);

/// What a scheduler thread runs. No two threads write to one cache line.
#[repr(align(64))]
pub(in crate::runtime) struct Slot {
    /// The number of the call that runs, which is odd. While none runs, it is one more than the
    /// last one's.
    call: AtomicU64,
    /// When the call was taken to begin.
    began: AtomicU64,
    thread: OnceLock<OsThread>,
    /// The call that the watchdog has last seen for long, when it first saw it, and for how many
    /// nanoseconds it has worked and waited.
    seen: AtomicU64,
    first: AtomicU64,
    worked: AtomicU64,
    waited: AtomicU64,
}

/// For how long a call was seen to hold its scheduler. It may have done so for about two
/// milliseconds more.
#[derive(Debug, Clone, Copy)]
pub(in crate::runtime) struct HoldTime {
    /// Ticks before the watchdog first saw it, if it has begun when it was taken to begin.
    pub(in crate::runtime) missed: u64,
    /// It had a processor.
    pub(in crate::runtime) worked: Duration,
    /// It waited in a system call.
    pub(in crate::runtime) waited: Duration,
}

impl HoldTime {
    pub(in crate::runtime) fn time(self) -> Duration {
        self.worked + self.waited
    }
}

static SLOTS: [Slot; MOST] = [const { Slot::new() }; MOST];

/// How many slots have a thread. The others come after them.
static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// Whether the watchdog sleeps until somebody calls [`wake`].
static SLEEPING: AtomicBool = AtomicBool::new(false);

/// Whether it has to end.
static ENDS: AtomicBool = AtomicBool::new(false);

/// The watchdog, and how many times the library is loaded.
static WATCHDOG: Mutex<(Option<JoinHandle<()>>, usize)> = Mutex::new((None, 0));

/// The slot of the calling thread, which is a normal scheduler.
#[inline]
pub(super) fn slot(kept: &ThreadMemory) -> Option<&'static Slot> {
    match kept.slot.get() {
        0 => take(kept),
        number => SLOTS.get(number - 1),
    }
}

/// The first call of a thread.
#[cold]
fn take(kept: &ThreadMemory) -> Option<&'static Slot> {
    let none = MOST + 1;
    let number = match OsThread::current() {
        None => none,
        Some(thread) => {
            let number = TAKEN.fetch_add(1, Ordering::Relaxed);
            // Nobody else has this number.
            let _ = SLOTS.get(number).map(|slot| slot.thread.set(thread));
            number.saturating_add(1).min(none)
        }
    };
    kept.slot.set(number);
    SLOTS.get(number - 1)
}

/// Whether this is the number of a call, and not of a rest between two.
fn runs(number: u64) -> bool {
    number & 1 == 1
}

impl Slot {
    const fn new() -> Self {
        Slot {
            call: AtomicU64::new(0),
            began: AtomicU64::new(0),
            thread: OnceLock::new(),
            seen: AtomicU64::new(0),
            first: AtomicU64::new(0),
            worked: AtomicU64::new(0),
            waited: AtomicU64::new(0),
        }
    }

    /// Only the slot's thread writes to `call` and `began`.
    #[inline]
    pub(super) fn enter(&self, began: ClockTicks) {
        self.begins(began);
        let call = self.call.load(Ordering::Relaxed) + 1;
        self.call.store(call | 1, Ordering::Release);
        if SLEEPING.load(Ordering::Relaxed) {
            wake();
        }
    }

    #[inline]
    pub(super) fn begins(&self, began: ClockTicks) {
        self.began.store(began.0, Ordering::Relaxed);
    }

    #[inline]
    pub(super) fn leave(&self) {
        let call = self.call.load(Ordering::Relaxed) + 1;
        self.call.store(call & !1, Ordering::Release);
    }

    /// Whether the watchdog has seen the call that runs for long.
    #[inline]
    pub(super) fn is_seen(&self) -> bool {
        self.seen.load(Ordering::Relaxed) == self.call.load(Ordering::Relaxed)
    }

    /// What was seen of the last call of this thread, which was taken to begin then.
    pub(super) fn held(&self, began: ClockTicks) -> Option<HoldTime> {
        let last = self.call.load(Ordering::Relaxed).wrapping_sub(1);
        let is_it = self.seen.load(Ordering::Acquire) == last;
        is_it.then(|| HoldTime {
            missed: ClockTicks(self.first.load(Ordering::Relaxed)).since(began),
            worked: Duration::from_nanos(self.worked.load(Ordering::Relaxed)),
            waited: Duration::from_nanos(self.waited.load(Ordering::Relaxed)),
        })
    }

    fn says(&self, watched: &Watched, since: Since) {
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        if self.seen.load(Ordering::Relaxed) != watched.call {
            self.seen.store(0, Ordering::Release);
        }
        let worked = since.worked.saturating_sub(since.worked_before);
        self.first.store(watched.first.0, Ordering::Relaxed);
        self.worked.store(nanoseconds(worked), Ordering::Relaxed);
        self.waited
            .store(nanoseconds(since.waited), Ordering::Relaxed);
        self.seen.store(watched.call, Ordering::Release);
    }
}

/// What the watchdog knows of a slot's call.
#[derive(Clone, Copy)]
struct Watched {
    call: u64,
    first: ClockTicks,
    /// Since when it is watched, and what its thread had worked then and at the last look; `None`
    /// if it is not there for long.
    since: Option<Since>,
}

#[derive(Clone, Copy)]
struct Since {
    worked_before: Duration,
    worked: Duration,
    looked: ClockTicks,
    waited: Duration,
}

impl Watched {
    const NOTHING: Watched = Watched {
        call: 0,
        first: ClockTicks(0),
        since: None,
    };

    /// Looks at a slot. Returns whether anything has run since the last look.
    fn look(&mut self, slot: &Slot, now: ClockTicks) -> bool {
        let call = slot.call.load(Ordering::Acquire);
        let is_same = call == self.call;
        if !is_same {
            *self = Watched {
                call,
                first: now,
                since: None,
            };
        }
        // A call that was taken to begin where an earlier one ended may seem to be there for longer
        // than it is.
        let began = ClockTicks(slot.began.load(Ordering::Relaxed));
        let is_long = runs(call) && (is_same || now.since(began) >= per_millisecond() / 2);
        if is_long && let Some(thread) = slot.thread.get() {
            self.look_closely(slot, *thread, now);
        }
        runs(call) || !is_same
    }

    fn look_closely(&mut self, slot: &Slot, thread: OsThread, now: ClockTicks) {
        let Some(worked) = thread.worked() else {
            return;
        };
        let Some(since) = &mut self.since else {
            self.since = Some(Since {
                worked_before: worked,
                worked,
                looked: now,
                waited: Duration::ZERO,
            });
            return;
        };
        let passed = duration_of(now.since(since.looked));
        let idle = passed.saturating_sub(worked.saturating_sub(since.worked));
        if idle > passed / 2 && thread.waits() {
            since.waited += idle;
        }
        (since.worked, since.looked) = (worked, now);
        let since = *since;
        slot.says(self, since);
    }
}

fn watch() {
    let mut watched = vec![Watched::NOTHING; MOST];
    let mut idle = 0;
    while !ENDS.load(Ordering::Relaxed) {
        let taken = TAKEN.load(Ordering::Relaxed).min(MOST);
        let now = ClockTicks::now();
        let slots = SLOTS.iter().zip(&mut watched).take(taken);
        let has_run = slots.fold(false, |has_run, (slot, watched)| {
            watched.look(slot, now) | has_run
        });
        idle = match has_run {
            true => 0,
            false => idle + 1,
        };
        if idle < SLEEPS_AFTER {
            thread::park_timeout(LOOKS_EVERY);
        } else {
            SLEEPING.store(true, Ordering::SeqCst);
            // Whoever has begun before saw it awake.
            let rests = |slot: &Slot| !runs(slot.call.load(Ordering::SeqCst));
            if SLOTS.iter().take(taken).all(rests) {
                thread::park_timeout(SLEEPS);
            }
            SLEEPING.store(false, Ordering::Relaxed);
        }
    }
}

/// A call begins while the watchdog sleeps. Only one call does that.
#[cold]
fn wake() {
    if SLEEPING.swap(false, Ordering::Relaxed)
        && let Ok(watchdog) = WATCHDOG.try_lock()
        && let Some(watchdog) = &watchdog.0
    {
        watchdog.thread().unpark();
    }
}

/// The library is loaded. Without a thread, nothing is watched.
pub(in crate::runtime) fn start() {
    let mut watchdog = WATCHDOG.lock().unwrap_or_else(PoisonError::into_inner);
    watchdog.1 += 1;
    if watchdog.0.is_none() && OsThread::IS_KNOWN {
        ENDS.store(false, Ordering::Relaxed);
        let builder = thread::Builder::new().name("otp_rs_watchdog".to_owned());
        watchdog.0 = builder.stack_size(128 * 1024).spawn(watch).ok();
    }
}

/// The library may leave the program: when this returns, the thread has ended.
pub(in crate::runtime) fn stop() {
    let mut watchdog = WATCHDOG.lock().unwrap_or_else(PoisonError::into_inner);
    watchdog.1 = watchdog.1.saturating_sub(1);
    if watchdog.1 > 0 {
        return;
    }
    if let Some(thread) = watchdog.0.take() {
        ENDS.store(true, Ordering::Relaxed);
        thread.thread().unpark();
        // It does not panic; and if it did, it would have ended all the same.
        let _ = thread.join();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the watchdog sees of a call that does this.
    fn seen(body: impl Fn() + Send + 'static) -> Option<HoldTime> {
        let thread = thread::spawn(move || {
            let kept = ThreadMemory::new();
            let slot = slot(&kept).expect("there is one");
            let began = ClockTicks::now();
            slot.enter(began);
            body();
            slot.leave();
            slot.held(began)
        });
        thread.join().expect("it does not panic")
    }

    fn work(time: Duration) {
        let thread = OsThread::current().expect("Linux tells");
        let worked = || thread.worked().expect("it lives");
        let before = worked();
        while worked() < before + time {
            std::hint::spin_loop();
        }
    }

    #[test]
    fn who_works_and_who_waits_is_seen_and_a_short_call_is_not() {
        if !OsThread::IS_KNOWN {
            return;
        }
        start();
        let works = seen(|| work(Duration::from_millis(100))).expect("it is long");
        assert!(works.worked > Duration::from_millis(10), "{works:?}");
        assert!(works.worked < Duration::from_millis(110), "{works:?}");
        let waits = seen(|| thread::sleep(Duration::from_millis(100))).expect("it is long");
        assert!(waits.waited > Duration::from_millis(10), "{waits:?}");
        assert!(waits.worked < Duration::from_millis(10), "{waits:?}");
        // On a busy machine one that does nothing may be interrupted; then it has not worked.
        assert!(seen(|| ()).is_none_or(|held| held.time() < Duration::from_millis(1)));
        stop();
        assert!(WATCHDOG.lock().expect("nobody panics").0.is_none());
    }
}
