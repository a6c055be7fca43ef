//! Wakers of callbacks: they make the process poll a future again that waits for something other
//! than the Erlang side.
//!
//! While a callback is polled, its waker is a flag. A clone of the waker may go to any thread and
//! outlive the callback. If a clone is woken while the process waits, it sends the process a
//! message, which the generated Erlang module receives.
#![allow(unsafe_code)]

use std::mem::ManuallyDrop;
use std::sync::{Arc, PoisonError};
use std::task::{RawWaker, RawWakerVTable, Wake, Waker};
use std::time::Duration;

use crate::nif::{ProcessWord, send_from_any_thread};
use crate::runtime::protocol;
use crate::sync::{self, AtomicBool, AtomicU32, Condvar, Mutex, MutexGuard, Ordering};

/// The waker of a process's futures, and the data that its clones share.
pub(crate) struct Root {
    woken: AtomicBool,
    /// The number of polls, which wraps around. Only the process itself writes it.
    polls: AtomicU32,
    process: Option<ProcessWord>,
    /// Whether `shared` has a value. Only then is the lock needed.
    is_shared: AtomicBool,
    shared: Mutex<Option<Arc<Shared>>>,
}

/// The data that all clones of a waker share, for one callback.
struct Shared {
    process: Option<ProcessWord>,
    phase: Mutex<Phase>,
    /// Wakes the waiting thread of a test without a VM.
    wakes: Condvar,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The future is being polled, or will be polled next.
    Running,
    /// The future will be polled again.
    Woken,
    /// The process waits for a message.
    Waiting,
    /// The callback has ended.
    Ended,
}

/// The decision of a process whose futures cannot continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WhenIdle {
    /// Poll again: the waker has been woken.
    Poll,
    /// Wait: a clone of the waker exists, which can wake it.
    Wait,
    /// Fail: there is no clone that could wake it.
    NobodyWakes,
}

impl Root {
    /// Creates the waker of a process, or of a test without one.
    pub(crate) fn new(process: Option<ProcessWord>) -> Self {
        Root {
            woken: AtomicBool::new(false),
            polls: AtomicU32::new(0),
            process,
            is_shared: AtomicBool::new(false),
            shared: Mutex::new(None),
        }
    }

    /// Returns the waker for one poll.
    pub(crate) fn waker(&self) -> ManuallyDrop<Waker> {
        // SAFETY: the functions of the table keep the contract of wakers. The pointer is used only
        // through this waker. The caller does not drop the waker, and references to it end with the
        // poll. Clones have another table.
        let waker = unsafe { Waker::from_raw(RawWaker::new((&raw const *self).cast(), &FLAG)) };
        ManuallyDrop::new(waker)
    }

    /// Returns whether `waker` is this one and not a clone.
    pub(crate) fn is(&self, waker: &Waker) -> bool {
        std::ptr::eq(waker.data(), (&raw const *self).cast()) && *waker.vtable() == FLAG
    }

    /// Starts a poll, which handles all earlier wake-ups.
    pub(crate) fn poll_begins(&self) {
        self.woken.store(false, Ordering::Relaxed);
        let polls = self.polls.load(Ordering::Relaxed).wrapping_add(1);
        self.polls.store(polls, Ordering::Relaxed);
        if let Some(shared) = self.shared() {
            *lock(&shared.phase) = Phase::Running;
        }
    }

    /// Returns a number that identifies the current poll. The next poll has another one.
    pub(crate) fn number_of_the_poll(&self) -> u32 {
        self.polls.load(Ordering::Relaxed)
    }

    /// Returns whether the waker has been woken since the last poll began.
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

    /// Called when the process is about to wait.
    pub(crate) fn rest(&self) -> WhenIdle {
        if self.woken.load(Ordering::Acquire) {
            return WhenIdle::Poll;
        }
        let Some(shared) = self.shared() else {
            return WhenIdle::NobodyWakes;
        };
        let mut phase = lock(&shared.phase);
        if *phase == Phase::Woken {
            return WhenIdle::Poll;
        }
        *phase = Phase::Waiting;
        sync::others_may_run();
        // One reference is in `self.shared`, another one is here. They are counted under the lock,
        // which a clone takes to wake before it drops its own reference. So a clone that is counted
        // here will wake later, and the wake-up of one that is not counted has already changed the
        // phase.
        match Arc::strong_count(&shared) {
            0..=2 => WhenIdle::NobodyWakes,
            _ => WhenIdle::Wait,
        }
    }

    /// Blocks the thread of a test until the waker is woken. Returns `false` if no clone is left
    /// that could wake it.
    pub(crate) fn wait_without_vm(&self) -> bool {
        /// The interval between two checks for remaining clones of the waker.
        const LOOK: Duration = Duration::from_millis(100);
        loop {
            match self.rest() {
                WhenIdle::Poll => return true,
                WhenIdle::NobodyWakes => return false,
                WhenIdle::Wait => {
                    if let Some(shared) = self.shared() {
                        let is_waiting = |phase: &Phase| *phase == Phase::Waiting;
                        let phase = lock(&shared.phase);
                        if is_waiting(&phase) {
                            drop(shared.wakes.wait_timeout(phase, LOOK));
                        }
                    }
                }
            }
        }
    }

    /// Returns whether the waker has been cloned for this callback, so that a message may have been
    /// sent.
    #[inline]
    pub(crate) fn is_shared(&self) -> bool {
        self.is_shared.load(Ordering::Acquire)
    }

    /// Returns whether a clone of the waker exists.
    pub(crate) fn is_held(&self) -> bool {
        // One reference is in `self.shared`, another one is here.
        self.shared()
            .is_some_and(|shared| Arc::strong_count(&shared) > 2)
    }

    /// Disables the callback's wakers when it has completed. Returns whether there were any.
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
                wakes: Condvar::new(),
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
                // Sent under the lock, so that no message is sent once the callback has completed.
                match self.process {
                    Some(process) => send_from_any_thread(process, &protocol::wake()),
                    None => self.wakes.notify_one(),
                }
            }
            Phase::Woken | Phase::Ended => {}
        }
    }
}

/// Locks a mutex. No code panics while the data are in an inconsistent state.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The table of the waker that is valid for one poll. Its data is the [`Root`].
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

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_flag_is_woken_without_a_clone() {
        let root = Root::new(None);
        root.poll_begins();
        assert_eq!(root.rest(), WhenIdle::NobodyWakes);
        root.waker().wake_by_ref();
        assert_eq!(root.rest(), WhenIdle::Poll);
        assert!(root.is(&root.waker()));
    }

    #[test]
    fn a_clone_may_be_anywhere_and_late() {
        let root = Root::new(None);
        let clone = Waker::clone(&root.waker());
        assert!(!root.is(&clone));
        assert_eq!(root.rest(), WhenIdle::Wait, "somebody holds a waker");
        std::thread::spawn({
            let clone = clone.clone();
            move || clone.wake()
        })
        .join()
        .expect("waking does not panic");
        assert!(root.is_woken());
        assert_eq!(root.rest(), WhenIdle::Poll);
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
        assert_eq!(root.rest(), WhenIdle::NobodyWakes);
    }
}

/// Checks all interleavings of threads with loom: see bridge/Cargo.toml.
#[cfg(all(test, loom))]
mod loom {
    use ::loom::thread;

    use super::*;

    /// Wakes from another thread while the process polls and rests.
    #[test]
    fn a_wake_is_seen_by_the_next_poll_or_the_rest() {
        ::loom::model(|| {
            let root = Root::new(None);
            root.poll_begins();
            let clone = Waker::clone(&root.waker());
            let waking = thread::spawn(move || clone.wake());
            // While the process waits, the wake-up ends its rest: without a VM, the phase becomes
            // `Woken`.
            let first = root.rest();
            waking.join().expect("it does not panic");
            assert_ne!(first, WhenIdle::NobodyWakes);
            assert!(root.is_woken(), "it was lost");
            assert_eq!(root.rest(), WhenIdle::Poll);
            root.poll_begins();
            assert!(!root.is_woken());
        });
    }

    #[test]
    fn a_waker_of_a_callback_that_has_ended_wakes_nobody() {
        ::loom::model(|| {
            let root = Root::new(None);
            let clone = Waker::clone(&root.waker());
            let waking = thread::spawn(move || clone.wake());
            assert!(root.end());
            assert!(!root.is_woken());
            waking.join().expect("it does not panic");
            assert!(!root.is_woken(), "the callback was over");
            assert_eq!(root.rest(), WhenIdle::NobodyWakes);
        });
    }
}
