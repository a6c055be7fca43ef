//! The watchdog: a thread that sees which clauses hold a normal scheduler for long, while they run.
//!
//! Each scheduler thread has a slot with the number of the call that it runs and the call's start.
//! A call stores its number, its process and its clause at its start, and one number at its end.
//! Every millisecond the watchdog reads the slots. If a thread has been running the same call for
//! a while, the watchdog asks the operating system how long that thread has worked and, if it has
//! not, whether it waits. A clause that the system preempted has done neither. While no calls run,
//! the watchdog sleeps.
//!
//! Each version of an application has its own watchdog, in its own library. The thread ends before
//! the library is unloaded.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::call_clock::recorded_start;
use super::slot::{MOST, SLOTS, Slot, TAKEN, runs};
use crate::nif::{self, ClockTicks, OsThread, duration_of, per_millisecond};

/// The interval between two looks of the watchdog.
const LOOKS_EVERY: Duration = Duration::from_millis(1);

/// The watchdog sleeps after this many looks in a row without a call. An application with a timer a
/// few times a second then costs some dozens of looks, not a thousand. The first call after a sleep
/// pays for waking the thread, about a microsecond.
const SLEEPS_AFTER: u32 = 8;

/// The longest sleep. The watchdog has to wake up by itself, because a call that starts at the
/// moment when it falls asleep may not notice that.
const SLEEPS: Duration = Duration::from_secs(1);

/// A wait in a system call counts from this length.
const SHORTEST_WAIT: Duration = Duration::from_millis(4);

/// Whether the watchdog sleeps until a thread calls [`wake`].
static SLEEPING: AtomicBool = AtomicBool::new(false);

/// Whether it has to end.
static ENDS: AtomicBool = AtomicBool::new(false);

/// The watchdog's thread, and how many times the library is loaded.
static WATCHDOG: Mutex<(Option<JoinHandle<()>>, usize)> = Mutex::new((None, 0));

/// The watchdog's data about the call in a slot.
#[derive(Clone, Copy)]
pub(super) struct WatchedCall {
    pub(super) call: u64,
    pub(super) first: ClockTicks,
    /// When it started to watch the thread closely, and the thread's processor time then and at the
    /// last look; `None` if the call has not been running for long.
    since: Option<Since>,
}

#[derive(Clone, Copy)]
pub(super) struct Since {
    pub(super) worked_before: Duration,
    pub(super) worked: Duration,
    looked: ClockTicks,
    /// The number of the wait that the last look saw, and for how long it has lasted since.
    wait: Option<u64>,
    lasted: Duration,
    /// All waits that were long enough.
    pub(super) waited: Duration,
}

impl Since {
    /// Adds what a look saw. A wait between two looks counts only if both saw it: otherwise another
    /// thread may have had the processor. A short wait does not count: it may be for a lock whose
    /// owner was interrupted.
    fn add(&mut self, wait: Option<u64>, passed: Duration) {
        if wait.is_none() || wait != self.wait {
            (self.wait, self.lasted) = (wait, Duration::ZERO);
            return;
        }
        let before = self.lasted;
        self.lasted += passed;
        if before >= SHORTEST_WAIT {
            self.waited += passed;
        } else if self.lasted >= SHORTEST_WAIT {
            self.waited += self.lasted;
        }
    }
}

impl WatchedCall {
    const NOTHING: WatchedCall = WatchedCall {
        call: 0,
        first: ClockTicks(0),
        since: None,
    };

    /// Looks at a slot. Returns whether a call has run since the last look.
    fn look(&mut self, slot: &Slot, now: ClockTicks) -> bool {
        let call = slot.call.load(Ordering::Acquire);
        let is_same = call == self.call;
        if !is_same {
            *self = WatchedCall {
                call,
                first: now,
                since: None,
            };
        }
        // The recorded start may be the end of an earlier call, so the call may seem to run for
        // longer than it does.
        let began = recorded_start(slot);
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
                wait: thread.waits(),
                lasted: Duration::ZERO,
                waited: Duration::ZERO,
            });
            return;
        };
        since.add(thread.waits(), duration_of(now.since(since.looked)));
        (since.worked, since.looked) = (worked, now);
        let since = *since;
        slot.says(self, since);
    }
}

fn watch() {
    nif::stop_counting();
    let mut watched = vec![WatchedCall::NOTHING; MOST];
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
            // A call that started earlier may have seen the watchdog awake, and so has not woken
            // it.
            let rests = |slot: &Slot| {
                slot.due.store(0, Ordering::Relaxed);
                !runs(slot.call.load(Ordering::SeqCst))
            };
            if SLOTS.iter().take(taken).all(rests) {
                thread::park_timeout(SLEEPS);
            }
            SLEEPING.store(false, Ordering::Relaxed);
        }
    }
}

/// Wakes the watchdog if it sleeps. Called when a call reads the clock. When the watchdog falls
/// asleep, it makes the next call of each thread do so. If that call ends at this very moment, one
/// of the following sixteen calls wakes the watchdog.
pub(super) fn begun() {
    if SLEEPING.load(Ordering::Relaxed) {
        wake();
    }
}

/// Only the call that clears the flag wakes the thread.
#[cold]
fn wake() {
    if SLEEPING.swap(false, Ordering::Relaxed)
        && let Ok(watchdog) = WATCHDOG.try_lock()
        && let Some(watchdog) = &watchdog.0
    {
        watchdog.thread().unpark();
    }
}

/// Starts the watchdog when the library is loaded. If the thread cannot be started, calls are not
/// watched.
pub(in crate::runtime) fn start() {
    let mut watchdog = WATCHDOG.lock().unwrap_or_else(PoisonError::into_inner);
    watchdog.1 += 1;
    if watchdog.0.is_none() && OsThread::IS_KNOWN {
        ENDS.store(false, Ordering::Relaxed);
        let builder = thread::Builder::new().name("otp_rs_watchdog".to_owned());
        watchdog.0 = builder.stack_size(128 * 1024).spawn(watch).ok();
    }
}

/// Ends the watchdog before the library is unloaded. When this returns, the thread has ended.
pub(in crate::runtime) fn stop() {
    let mut watchdog = WATCHDOG.lock().unwrap_or_else(PoisonError::into_inner);
    watchdog.1 = watchdog.1.saturating_sub(1);
    if watchdog.1 > 0 {
        return;
    }
    if let Some(thread) = watchdog.0.take() {
        ENDS.store(true, Ordering::Relaxed);
        thread.thread().unpark();
        // The thread does not panic, and after a panic it would have ended all the same.
        let _ = thread.join();
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::super::call_clock::CallClock;
    use super::super::slot::{self, HoldTime};
    use super::*;
    use crate::nif::ProcessWord;
    use crate::runtime::registry::library;
    use crate::runtime::registry::without_callback::clause_at;
    use crate::stack::ThreadMemory;

    /// Returns the time that the watchdog sees of a call with this body.
    fn seen(body: impl Fn() + Send + 'static) -> Option<HoldTime> {
        let thread = thread::spawn(move || {
            let kept = ThreadMemory::new();
            let slot = slot::of_thread(&kept).expect("there is one");
            library::set(c"watched");
            let clause = clause_at(std::panic::Location::caller());
            let clock = CallClock::measuring(slot);
            clock.enter(ProcessWord::of_test(NonZeroUsize::MIN), clause);
            let began = clock.began();
            body();
            clock.end();
            clock.held(began)
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
    fn only_a_wait_that_two_looks_saw_counts_if_it_is_long() {
        let millisecond = Duration::from_millis(1);
        let seen = |looks: &[(Option<u64>, u32)]| {
            let mut since = Since {
                worked_before: Duration::ZERO,
                worked: Duration::ZERO,
                looked: ClockTicks(0),
                wait: None,
                lasted: Duration::ZERO,
                waited: Duration::ZERO,
            };
            for (wait, passed) in looks {
                since.add(*wait, millisecond * *passed);
            }
            since.waited.as_millis()
        };
        assert_eq!(
            seen(&[(None, 1), (Some(7), 100)]),
            0,
            "the processor was away"
        );
        assert_eq!(
            seen(&[(Some(7), 1), (Some(8), 100), (Some(9), 100)]),
            0,
            "three waits"
        );
        assert_eq!(
            seen(&[(Some(7), 1), (Some(7), 1), (Some(7), 2)]),
            0,
            "a lock"
        );
        assert_eq!(
            seen(&[(Some(7), 1), (Some(7), 1), (Some(7), 3), (Some(7), 5)]),
            9
        );
        assert_eq!(
            seen(&[
                (Some(7), 1),
                (Some(7), 5),
                (None, 1),
                (Some(8), 9),
                (Some(8), 6)
            ]),
            11
        );
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
        // On a busy machine a call without work may be preempted; even then it has not worked.
        assert!(seen(|| ()).is_none_or(|held| held.time() < Duration::from_millis(1)));
        stop();
        assert!(WATCHDOG.lock().expect("nobody panics").0.is_none());
    }
}
