//! The number of a channel's addresses, which any thread can change.

use std::process::abort;

use crate::sync::{AtomicUsize, Ordering};

pub(super) struct Addresses(AtomicUsize);

impl Addresses {
    pub(super) fn none() -> Self {
        Addresses(AtomicUsize::new(0))
    }

    /// Counts the first address of a new channel, which no other thread can access.
    pub(super) fn begin(&self) {
        self.0.store(1, Ordering::Relaxed);
    }

    /// Counts an address that is cloned from an existing one.
    #[inline]
    pub(super) fn add(&self) {
        // As in `Arc`: code that forgets this many addresses would make the counter overflow.
        if self.0.fetch_add(1, Ordering::Relaxed) > isize::MAX as usize {
            abort();
        }
    }

    /// Counts one address less. Returns whether it was the last one.
    #[inline]
    pub(super) fn remove(&self) -> bool {
        self.0.fetch_sub(1, Ordering::AcqRel) == 1
    }

    /// Returns whether there are any addresses. If not, everything that happened before the drop of
    /// each address is visible to this thread.
    #[inline]
    pub(super) fn are_left(&self) -> bool {
        self.0.load(Ordering::Acquire) > 0
    }
}

/// Checks all interleavings of threads with loom: see bridge/Cargo.toml.
#[cfg(all(test, loom))]
mod loom {
    use ::loom::sync::Arc;
    use ::loom::thread;

    use super::*;
    use crate::sync::AtomicBool;
    use crate::tasks::executor::inbox::{Inbox, Mail};

    fn shared() -> Arc<Addresses> {
        let addresses = Arc::new(Addresses::none());
        addresses.begin();
        addresses
    }

    #[test]
    fn one_of_them_is_the_last() {
        ::loom::model(|| {
            let addresses = shared();
            addresses.add();
            let other = thread::spawn({
                let addresses = Arc::clone(&addresses);
                move || {
                    addresses.add();
                    [addresses.remove(), addresses.remove()]
                }
            });
            let here = addresses.remove();
            let [first, second] = other.join().expect("it does not panic");
            assert_eq!([here, first, second].iter().filter(|it| **it).count(), 1);
            assert!(!addresses.are_left());
        });
    }

    #[test]
    fn a_receiver_sees_the_end_or_is_told_of_it() {
        ::loom::model(|| {
            let told = Arc::new(AtomicBool::new(false));
            let tell = Arc::clone(&told);
            let tell = move || tell.store(true, Ordering::Relaxed);
            let inbox = Arc::new(Inbox::new(Box::new(tell)));
            let addresses = shared();
            let other = thread::spawn({
                let (addresses, inbox) = (Arc::clone(&addresses), Arc::clone(&inbox));
                move || {
                    if addresses.remove() {
                        inbox.post(Mail::Run(Box::new(|_| {})));
                    }
                }
            });
            let before = inbox.take().len();
            // A receiver that sees addresses waits, and the process rests if there is no mail.
            let waits = addresses.are_left();
            let rests = inbox.rest();
            other.join().expect("it does not panic");
            let mail = before + inbox.take().len();
            assert_eq!(mail, 1, "whoever drops the last one tells");
            if waits && rests {
                assert!(told.load(Ordering::Relaxed), "it waits for ever");
            }
            assert!(!addresses.are_left());
        });
    }
}
