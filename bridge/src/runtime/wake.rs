//! Wakers: how a future that waits for something else than the Erlang side is polled again.
//!
//! While a callback is polled, its waker is a flag. A clone of it may go anywhere and outlive the
//! callback: that one sends the process a message if it waits, which the generated module
//! receives.
#![allow(unsafe_code)]

use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{RawWaker, RawWakerVTable, Wake, Waker};

use super::protocol;
use crate::nif::{ProcessWord, send_from_any_thread};

/// The flag of a process's futures, and what its clones share.
pub(crate) struct Root {
    woken: AtomicBool,
    process: Option<ProcessWord>,
    /// Whether there is something in `shared`: the lock is for those who need it.
    is_shared: AtomicBool,
    shared: Mutex<Option<Arc<Shared>>>,
}

/// What the clones of a waker have in common, for one callback.
struct Shared {
    process: Option<ProcessWord>,
    phase: Mutex<Phase>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The future is polled, or will be at once.
    Running,
    /// It is to be polled again.
    Woken,
    /// Its process waits for a message.
    Waiting,
    /// The callback is over.
    Ended,
}

/// What a process that has nothing to do is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rest {
    /// It was woken meanwhile.
    Poll,
    /// Somebody holds a waker and will wake it.
    Wait,
    /// Nobody does.
    NobodyWakes,
}

impl Root {
    /// The flag of a process; without one, of a test.
    pub(crate) const fn new(process: Option<ProcessWord>) -> Self {
        Root {
            woken: AtomicBool::new(false),
            process,
            is_shared: AtomicBool::new(false),
            shared: Mutex::new(None),
        }
    }

    /// The waker for one poll.
    pub(crate) fn waker(&self) -> ManuallyDrop<Waker> {
        // SAFETY: the functions of the table keep the contract of wakers; the pointer is used only
        // by way of this waker, which the caller, whose reference to it ends with the poll, does
        // not drop. Clones are of another kind.
        let waker = unsafe { Waker::from_raw(RawWaker::new((&raw const *self).cast(), &FLAG)) };
        ManuallyDrop::new(waker)
    }

    /// Whether a waker is the one of this flag.
    pub(crate) fn is(&self, waker: &Waker) -> bool {
        std::ptr::eq(waker.data(), (&raw const *self).cast()) && *waker.vtable() == FLAG
    }

    /// A poll begins: whatever was woken is seen to by it.
    pub(crate) fn poll_begins(&self) {
        self.woken.store(false, Ordering::Relaxed);
        if let Some(shared) = self.shared() {
            *lock(&shared.phase) = Phase::Running;
        }
    }

    /// Whether it has been woken since.
    pub(crate) fn is_woken(&self) -> bool {
        let is_woken = |shared: Arc<Shared>| *lock(&shared.phase) == Phase::Woken;
        self.woken.load(Ordering::Acquire) || self.shared().is_some_and(is_woken)
    }

    fn shared(&self) -> Option<Arc<Shared>> {
        match self.is_shared() {
            true => lock(&self.shared).clone(),
            false => None,
        }
    }

    /// The process is about to wait.
    pub(crate) fn rest(&self) -> Rest {
        if self.woken.load(Ordering::Acquire) {
            return Rest::Poll;
        }
        let Some(shared) = self.shared() else {
            return Rest::NobodyWakes;
        };
        let mut phase = lock(&shared.phase);
        if *phase == Phase::Woken {
            return Rest::Poll;
        }
        *phase = Phase::Waiting;
        drop(phase);
        // One is the flag's, one is here.
        match Arc::strong_count(&shared) {
            0..=2 => Rest::NobodyWakes,
            _ => Rest::Wait,
        }
    }

    /// Whether a waker of this callback went beyond it: a message may have been sent.
    #[inline]
    pub(crate) fn is_shared(&self) -> bool {
        self.is_shared.load(Ordering::Acquire)
    }

    /// The callback is over: wakers that are left do nothing. Whether there were any.
    #[inline]
    pub(crate) fn end(&self) -> bool {
        self.is_shared() && self.end_shared()
    }

    #[cold]
    fn end_shared(&self) -> bool {
        self.is_shared.store(false, Ordering::Release);
        match lock(&self.shared).take() {
            Some(shared) => {
                *lock(&shared.phase) = Phase::Ended;
                true
            }
            None => false,
        }
    }

    fn share(&self) -> Arc<Shared> {
        let mut shared = lock(&self.shared);
        let made = shared.get_or_insert_with(|| {
            Arc::new(Shared {
                process: self.process,
                phase: Mutex::new(Phase::Running),
            })
        });
        self.is_shared.store(true, Ordering::Release);
        Arc::clone(made)
    }
}

impl Wake for Shared {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let mut phase = lock(&self.phase);
        match *phase {
            Phase::Running => *phase = Phase::Woken,
            Phase::Waiting => {
                *phase = Phase::Woken;
                // Under the lock, so that no message is sent once the callback is over.
                if let Some(process) = self.process {
                    send_from_any_thread(process, &(protocol::otp_rs, protocol::wake));
                }
            }
            Phase::Woken | Phase::Ended => {}
        }
    }
}

/// A panic while it is held leaves nothing half-done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The waker of one poll: its data is the [`Root`].
static FLAG: RawWakerVTable = RawWakerVTable::new(clone, wake, wake, |_| {});

unsafe fn clone(root: *const ()) -> RawWaker {
    // SAFETY: the data of this table's wakers is a `Root` that outlives them, see `Root::waker`.
    let shared = unsafe { &*root.cast::<Root>() }.share();
    let waker = ManuallyDrop::new(Waker::from(shared));
    RawWaker::new(waker.data(), waker.vtable())
}

unsafe fn wake(root: *const ()) {
    // SAFETY: as above.
    let root = unsafe { &*root.cast::<Root>() };
    root.woken.store(true, Ordering::Release);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_is_woken_without_a_clone() {
        let root = Root::new(None);
        root.poll_begins();
        assert_eq!(root.rest(), Rest::NobodyWakes);
        root.waker().wake_by_ref();
        assert_eq!(root.rest(), Rest::Poll);
        assert!(root.is(&root.waker()));
    }

    #[test]
    fn a_clone_may_be_anywhere_and_late() {
        let root = Root::new(None);
        let clone = Waker::clone(&root.waker());
        assert!(!root.is(&clone));
        assert_eq!(root.rest(), Rest::Wait, "somebody holds a waker");
        std::thread::spawn({
            let clone = clone.clone();
            move || clone.wake()
        })
        .join()
        .expect("waking does not panic");
        assert!(root.is_woken());
        assert_eq!(root.rest(), Rest::Poll);
        root.poll_begins();
        assert!(!root.is_woken());
        assert!(root.end());
        clone.wake();
        assert!(!root.is_woken(), "the callback was over");
    }

    #[test]
    fn dropped_clones_wake_nobody() {
        let root = Root::new(None);
        drop(Waker::clone(&root.waker()));
        assert_eq!(root.rest(), Rest::NobodyWakes);
    }
}
