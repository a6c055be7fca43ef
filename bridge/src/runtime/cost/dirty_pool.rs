//! Counts the slow clauses that run on dirty CPU schedulers at the same time. There are few such
//! schedulers. Each new maximum is reported once, and the Erlang side logs it if it equals the
//! number of schedulers.

use std::sync::atomic::{AtomicUsize, Ordering};

static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// The largest number that have run at the same time.
static MOST: AtomicUsize = AtomicUsize::new(0);

/// A new maximum that has not been reported yet, or 0.
static UNTOLD: AtomicUsize = AtomicUsize::new(0);

/// Counts a running clause that was moved to a dirty CPU scheduler, until it is dropped.
pub(in crate::runtime) struct RunningClauseCount(());

pub(in crate::runtime) fn enter() -> RunningClauseCount {
    let running = RUNNING.fetch_add(1, Ordering::Relaxed) + 1;
    if MOST.fetch_max(running, Ordering::Relaxed) < running {
        UNTOLD.fetch_max(running, Ordering::Relaxed);
    }
    RunningClauseCount(())
}

impl Drop for RunningClauseCount {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Takes a new maximum, which the caller has to report.
pub(in crate::runtime) fn untold() -> Option<usize> {
    match UNTOLD.load(Ordering::Relaxed) {
        0 => None,
        _ => Some(UNTOLD.swap(0, Ordering::Relaxed)).filter(|most| *most > 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_maximum_is_told_once() {
        let (first, second) = (enter(), enter());
        assert_eq!(untold(), Some(2));
        assert_eq!(untold(), None);
        drop(first);
        let third = enter();
        assert_eq!(untold(), None, "as many as before");
        let all = (second, third, enter());
        assert_eq!(untold(), Some(3));
        drop(all);
        assert_eq!(RUNNING.load(Ordering::Relaxed), 0);
    }
}
