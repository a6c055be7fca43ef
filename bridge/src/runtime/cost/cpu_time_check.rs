//! Callbacks that once took long. Another program may have had the processor meanwhile. So the next
//! time the run time measures what the thread itself has used, which would cost too much in every
//! call.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::time::Duration;

use super::call_clock::CallClock;
use crate::nif::{ClockTicks, ThreadUsage as Usage, per_millisecond};
use crate::runtime::registry::ClauseEntry;

/// The clauses that are checked. If more clauses share a slot, the last one is in it.
static CHECKED: [AtomicPtr<ClauseEntry>; 16] = [const { AtomicPtr::new(ptr::null_mut()) }; 16];

/// Whether there are any. Most calls read only this.
static ANY: AtomicBool = AtomicBool::new(false);

fn slot(clause: &'static ClauseEntry) -> &'static AtomicPtr<ClauseEntry> {
    &CHECKED[(ptr::from_ref(clause).addr() / align_of::<ClauseEntry>()) % CHECKED.len()]
}

/// From now on the clause is checked.
pub(in crate::runtime) fn check_next(clause: &'static ClauseEntry) {
    slot(clause).store(ptr::from_ref(clause).cast_mut(), Ordering::Relaxed);
    ANY.store(true, Ordering::Relaxed);
}

/// The clause is not checked any more.
pub(in crate::runtime) fn end(clause: &'static ClauseEntry) {
    slot(clause).store(ptr::null_mut(), Ordering::Relaxed);
}

/// What this thread has used so far, if the clause is checked.
#[inline]
fn look(clause: &'static ClauseEntry) -> Option<Box<Usage>> {
    match ANY.load(Ordering::Relaxed) {
        false => None,
        true => look_closely(clause),
    }
}

/// A call begins: the same, and when it began, which is measured if the clause is checked.
#[inline]
pub(in crate::runtime) fn begin(
    clause: &'static ClauseEntry,
    clock: CallClock<'_>,
    began: ClockTicks,
) -> (Option<Box<Usage>>, ClockTicks) {
    let before = look(clause);
    let began = match before {
        None => began,
        Some(_) => clock.measure(began),
    };
    (before, began)
}

#[cold]
#[inline(never)]
fn look_closely(clause: &'static ClauseEntry) -> Option<Box<Usage>> {
    let checked = slot(clause).load(Ordering::Relaxed).cast_const();
    if ptr::eq(checked, clause) {
        lately().map(Box::new)
    } else {
        None
    }
}

thread_local! {
    /// What the thread had used when that was last asked for, and when.
    static LAST: Cell<Option<(ClockTicks, Usage)>> = const { Cell::new(None) };
}

/// How long an answer is good for: a tenth of a millisecond, by which a call may seem to have worked longer. The operating system takes as
/// long to answer as a few short callbacks take. On a busy machine, clauses that do little are checked, too.
fn is_fresh(since: ClockTicks) -> bool {
    ClockTicks::now().since(since) < per_millisecond() / 10
}

/// What this thread has used so far, or had used shortly before. In the latter case it may have waited since, before the
/// call, so that no wait is the call's.
fn lately() -> Option<Usage> {
    if let Some((since, usage)) = LAST.get()
        && is_fresh(since)
    {
        return Some(Usage {
            waits: i64::MAX,
            ..usage
        });
    }
    let usage = Usage::now()?;
    LAST.set(Some((ClockTicks::now(), usage)));
    Some(usage)
}

/// Whether the thread has worked for longer than `limit` since then, or has waited. If it was interrupted as well, the
/// wait may have been one of a microsecond for a lock of the VM, so that only work counts.
pub(in crate::runtime) fn is_exceeded(before: Usage, limit: Duration) -> bool {
    Usage::now().is_none_or(|now| {
        let has_waited = now.waits > before.waits && now.interruptions == before.interruptions;
        has_waited || now.time.saturating_sub(before.time) >= limit
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    static CLAUSE: ClauseEntry = ClauseEntry::NONE;

    #[test]
    fn a_clause_is_measured_while_it_is_checked() {
        if !Usage::IS_KNOWN {
            return;
        }
        assert!(look(&CLAUSE).is_none());
        check_next(&CLAUSE);
        let before = look(&CLAUSE).expect("it is checked");
        assert!(waits_alone(), "it waited");
        let ever = Usage {
            waits: i64::MAX,
            ..*before
        };
        assert!(!is_exceeded(ever, Duration::from_secs(100)), "no work");
        end(&CLAUSE);
        assert!(look(&CLAUSE).is_none());
    }

    /// Whether a wait is seen in which nothing else interrupts the thread. On a busy machine something may.
    fn waits_alone() -> bool {
        (0..1_000).any(|_| {
            let before = Usage::now().expect("Linux tells");
            std::thread::sleep(Duration::from_millis(2));
            is_exceeded(before, Duration::from_secs(100))
        })
    }

    #[test]
    fn a_wait_with_an_interruption_is_none() {
        if !Usage::IS_KNOWN {
            return;
        }
        let before = Usage {
            interruptions: -1,
            ..Usage::now().expect("Linux tells")
        };
        std::thread::sleep(Duration::from_millis(2));
        assert!(!is_exceeded(before, Duration::from_secs(100)));
    }

    #[test]
    fn an_answer_is_good_for_a_tenth_of_a_millisecond() {
        if !Usage::IS_KNOWN {
            return;
        }
        let told = LAST.replace(None);
        assert!(told.is_none(), "this thread has not asked");
        let first = lately().expect("Linux tells");
        let (since, _) = LAST.get().expect("it has asked");
        let ever = Usage {
            interruptions: 1 << 40,
            ..first
        };
        LAST.set(Some((ClockTicks(since.0 + per_millisecond()), ever)));
        let kept = lately().expect("as before");
        assert_eq!(kept.interruptions, ever.interruptions);
        std::thread::sleep(Duration::from_millis(1));
        assert!(
            !is_exceeded(kept, Duration::from_secs(100)),
            "it may have waited before the call"
        );
        LAST.set(Some((ClockTicks(since.0 - per_millisecond()), ever)));
        let asked = lately().expect("as before");
        assert!(asked.interruptions < ever.interruptions);
    }

    #[test]
    fn work_is_seen() {
        if !Usage::IS_KNOWN {
            return;
        }
        let before = Usage::now().expect("Linux tells");
        while before.time + Duration::from_millis(3) > Usage::now().expect("as before").time {
            std::hint::spin_loop();
        }
        assert!(is_exceeded(before, Duration::from_millis(2)));
    }
}
