//! Callbacks that once took long. Another program may have had the processor meanwhile. So the next
//! time the run time measures what the thread itself has used, which would cost too much in every
//! call.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::time::Duration;

use super::call_clock::CallClock;
use crate::nif::{Ticks, per_millisecond};
use crate::runtime::registry::Clause;

/// The clauses under suspicion. If more clauses share a slot, the last one is in it.
static SUSPECTS: [AtomicPtr<Clause>; 16] = [const { AtomicPtr::new(ptr::null_mut()) }; 16];

/// Whether there are any. Most calls read only this.
static THERE_ARE: AtomicBool = AtomicBool::new(false);

fn slot(clause: &'static Clause) -> &'static AtomicPtr<Clause> {
    &SUSPECTS[(ptr::from_ref(clause).addr() / align_of::<Clause>()) % SUSPECTS.len()]
}

/// Puts a clause under suspicion.
pub(in crate::runtime) fn cast(clause: &'static Clause) {
    slot(clause).store(ptr::from_ref(clause).cast_mut(), Ordering::Relaxed);
    THERE_ARE.store(true, Ordering::Relaxed);
}

/// Ends the suspicion.
pub(in crate::runtime) fn lift(clause: &'static Clause) {
    slot(clause).store(ptr::null_mut(), Ordering::Relaxed);
}

/// What this thread has used so far, if the clause is under suspicion.
#[inline]
fn look(clause: &'static Clause) -> Option<Box<Usage>> {
    match THERE_ARE.load(Ordering::Relaxed) {
        false => None,
        true => look_closely(clause),
    }
}

/// A call begins: the same, and when it began, which is measured if the clause is under suspicion.
#[inline]
pub(in crate::runtime) fn begin(
    clause: &'static Clause,
    clock: CallClock<'_>,
    began: Ticks,
) -> (Option<Box<Usage>>, Ticks) {
    let before = look(clause);
    let began = match before {
        None => began,
        Some(_) => clock.measure(began),
    };
    (before, began)
}

#[cold]
#[inline(never)]
fn look_closely(clause: &'static Clause) -> Option<Box<Usage>> {
    let suspect = slot(clause).load(Ordering::Relaxed).cast_const();
    if ptr::eq(suspect, clause) {
        Usage::lately().map(Box::new)
    } else {
        None
    }
}

thread_local! {
    /// What the thread had used when that was last asked for, and when.
    static LAST: Cell<Option<(Ticks, Usage)>> = const { Cell::new(None) };
}

/// How long an answer is good for: a tenth of a millisecond, by which a call may seem to have worked longer. The operating system takes as
/// long to answer as a few short callbacks take. On a busy machine, clauses that do little are under suspicion, too.
fn is_fresh(since: Ticks) -> bool {
    Ticks::now().since(since) < per_millisecond() / 10
}

/// What a thread has used of a processor.
#[derive(Debug, Clone, Copy)]
pub(in crate::runtime) struct Usage {
    time: Duration,
    /// How often the thread gave up the processor by itself, because it waited for something.
    waits: i64,
    /// How often the operating system took it away.
    interruptions: i64,
}

#[cfg(target_os = "linux")]
impl Usage {
    /// Whether this system provides the figures.
    pub(in crate::runtime) const IS_KNOWN: bool = true;

    fn now() -> Option<Self> {
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
        // SAFETY: the memory is for a `rusage`, which is filled in where the result is 0.
        let usage = unsafe {
            if libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr()) != 0 {
                return None;
            }
            usage.assume_init()
        };
        // `rusage` has the time as of the last tick or switch, some milliseconds ago.
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: the memory is a `timespec`.
        if unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) } != 0 {
            return None;
        }
        let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
        let nanoseconds = u64::try_from(time.tv_nsec).unwrap_or(0);
        Some(Usage {
            time: Duration::from_secs(seconds) + Duration::from_nanos(nanoseconds),
            waits: usage.ru_nvcsw,
            interruptions: usage.ru_nivcsw,
        })
    }
}

#[cfg(not(target_os = "linux"))]
impl Usage {
    pub(in crate::runtime) const IS_KNOWN: bool = false;

    fn now() -> Option<Self> {
        None
    }
}

impl Usage {
    /// What this thread has used so far, or had used shortly before. In the latter case it may have waited since, before the
    /// call, so that no wait is the call's.
    fn lately() -> Option<Self> {
        if let Some((since, usage)) = LAST.get()
            && is_fresh(since)
        {
            return Some(Usage {
                waits: i64::MAX,
                ..usage
            });
        }
        let usage = Self::now()?;
        LAST.set(Some((Ticks::now(), usage)));
        Some(usage)
    }

    /// Whether the thread has worked for longer than `limit` since then, or has waited. If it was interrupted as well, the
    /// wait may have been one of a microsecond for a lock of the VM, so that only work counts.
    pub(in crate::runtime) fn is_exceeded(self, limit: Duration) -> bool {
        Self::now().is_none_or(|now| {
            let has_waited = now.waits > self.waits && now.interruptions == self.interruptions;
            has_waited || now.time.saturating_sub(self.time) >= limit
        })
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    static CLAUSE: Clause = Clause::NONE;

    #[test]
    fn a_clause_is_looked_at_while_it_is_under_suspicion() {
        assert!(look(&CLAUSE).is_none());
        cast(&CLAUSE);
        let before = look(&CLAUSE).expect("it is under suspicion");
        assert!(waits_alone(), "it waited");
        let ever = Usage {
            waits: i64::MAX,
            ..*before
        };
        assert!(!ever.is_exceeded(Duration::from_secs(100)), "no work");
        lift(&CLAUSE);
        assert!(look(&CLAUSE).is_none());
    }

    /// Whether a wait is seen in which nothing else interrupts the thread. On a busy machine something may.
    fn waits_alone() -> bool {
        (0..1_000).any(|_| {
            let before = Usage::now().expect("Linux tells");
            std::thread::sleep(Duration::from_millis(2));
            before.is_exceeded(Duration::from_secs(100))
        })
    }

    #[test]
    fn a_wait_with_an_interruption_is_none() {
        let before = Usage {
            interruptions: -1,
            ..Usage::now().expect("Linux tells")
        };
        std::thread::sleep(Duration::from_millis(2));
        assert!(!before.is_exceeded(Duration::from_secs(100)));
    }

    #[test]
    fn an_answer_is_good_for_a_tenth_of_a_millisecond() {
        let told = LAST.replace(None);
        assert!(told.is_none(), "this thread has not asked");
        let first = Usage::lately().expect("Linux tells");
        let (since, _) = LAST.get().expect("it has asked");
        let ever = Usage {
            interruptions: 1 << 40,
            ..first
        };
        LAST.set(Some((Ticks(since.0 + per_millisecond()), ever)));
        let kept = Usage::lately().expect("as before");
        assert_eq!(kept.interruptions, ever.interruptions);
        std::thread::sleep(Duration::from_millis(1));
        assert!(
            !kept.is_exceeded(Duration::from_secs(100)),
            "it may have waited before the call"
        );
        LAST.set(Some((Ticks(since.0 - per_millisecond()), ever)));
        let asked = Usage::lately().expect("as before");
        assert!(asked.interruptions < ever.interruptions);
    }

    #[test]
    fn work_is_seen() {
        let before = Usage::now().expect("Linux tells");
        while before.time + Duration::from_millis(3) > Usage::now().expect("as before").time {
            std::hint::spin_loop();
        }
        assert!(before.is_exceeded(Duration::from_millis(2)));
    }
}
