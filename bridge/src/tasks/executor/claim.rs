//! Mutual exclusion between a process's last call and the process that drops its tasks.

use crate::sync::{AtomicU8, Ordering};

/// Decides who may use the data of a process that is ending. If a process is killed while one of
/// its calls runs on a dirty scheduler, other processes see its exit before that call returns.
pub(in crate::tasks) struct Claim(AtomicU8);

/// No call runs on a dirty scheduler.
const FREE: u8 = 0;
/// A call runs on a dirty scheduler.
const HELD: u8 = 1;
/// The process has ended, and another process drops its tasks.
const CLOSING: u8 = 2;

impl Claim {
    pub(super) fn new() -> Self {
        Claim(AtomicU8::new(FREE))
    }

    fn take(&self, how: u8) -> Result<u8, u8> {
        let Claim(claim) = self;
        claim.compare_exchange(FREE, how, Ordering::Acquire, Ordering::Relaxed)
    }

    /// Registers a call that starts on a dirty scheduler. Returns `None` if the tasks are being
    /// dropped.
    pub(super) fn hold(&self) -> Option<Held<'_>> {
        self.take(HELD).ok().map(|_| Held(self))
    }

    /// Tries to close the tasks of a process that has ended. Returns whether they may be dropped:
    /// no call of the process runs, and none will start.
    pub(super) fn close(&self) -> bool {
        matches!(self.take(CLOSING), Ok(_) | Err(CLOSING))
    }
}

/// A call of the process on a dirty scheduler. While it exists, no other process drops the tasks.
pub(crate) struct Held<'e>(&'e Claim);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.0.store(FREE, Ordering::Release);
    }
}

/// Checks all interleavings of threads with loom: see bridge/Cargo.toml.
#[cfg(all(test, loom))]
mod loom {
    use ::loom::sync::Arc;
    use ::loom::thread;

    use super::*;
    use crate::sync::AtomicBool;

    #[test]
    fn a_call_that_runs_and_who_drops_its_tasks_exclude_each_other() {
        ::loom::model(|| {
            let claim = Arc::new((Claim::new(), AtomicBool::new(false)));
            let call = thread::spawn({
                let claim = Arc::clone(&claim);
                move || {
                    if let Some(_held) = claim.0.hold() {
                        assert!(!claim.1.swap(true, Ordering::Relaxed), "both are there");
                        claim.1.store(false, Ordering::Relaxed);
                    }
                }
            });
            if claim.0.close() {
                assert!(!claim.1.swap(true, Ordering::Relaxed), "both are there");
                assert!(claim.0.hold().is_none(), "no call begins any more");
                assert!(claim.0.close(), "and it goes on");
            }
            call.join().expect("it does not panic");
        });
    }
}
