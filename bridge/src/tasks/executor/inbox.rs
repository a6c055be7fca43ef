//! Mail: requests of other threads to a process's tasks.

use std::sync::{Arc, PoisonError};

use super::Executor;
use crate::sync::{AtomicBool, Mutex, MutexGuard, Ordering};
use crate::tasks::raw::slab::TaskId;

/// A request from another thread.
pub(crate) enum Mail {
    /// Wakes a task.
    Wake(TaskId),
    /// Runs a closure in the process.
    Run(Posted),
}

/// A closure from another thread, to run in the process.
pub(crate) type Posted = Box<dyn FnOnce(&Arc<Executor>) + Send>;

/// Notifies the process that it has mail.
pub(crate) type Tell = Box<dyn Fn() + Send + Sync>;

/// The mail that other threads leave for the process.
pub(in crate::tasks) struct Inbox {
    /// Read by the process between any two polls.
    has_mail: AtomicBool,
    /// Whether the process has announced that it rests. Only the process uses this flag.
    rests: AtomicBool,
    contents: Mutex<Contents>,
    tell: Tell,
}

struct Contents {
    mail: Vec<Mail>,
    phase: Phase,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The process checks for mail before it rests.
    Running,
    /// The process has to be notified of mail.
    Resting,
    /// The process has been notified.
    Told,
    /// The process has ended.
    Closed,
}

impl Inbox {
    pub(in crate::tasks) fn new(tell: Tell) -> Self {
        Inbox {
            has_mail: AtomicBool::new(false),
            rests: AtomicBool::new(false),
            contents: Mutex::new(Contents {
                mail: Vec::new(),
                phase: Phase::Running,
            }),
            tell,
        }
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        // No code panics while the data are in an inconsistent state.
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    pub(in crate::tasks) fn has_mail(&self) -> bool {
        self.has_mail.load(Ordering::Relaxed)
    }

    /// Returns whether a process that starts to run its tasks has to take mail: there is mail, or
    /// the process has rested, so that it would still be notified of more.
    #[inline]
    pub(in crate::tasks) fn is_due(&self) -> bool {
        self.has_mail() || self.rests.load(Ordering::Relaxed)
    }

    /// Leaves mail. Drops it if the process has ended.
    pub(in crate::tasks) fn post(&self, mail: Mail) {
        let mut contents = self.contents();
        match contents.phase {
            Phase::Closed => {
                drop(contents);
                drop(mail);
                return;
            }
            Phase::Resting => {
                contents.phase = Phase::Told;
                // Notify under the lock, so that the process cannot end before the notification.
                (self.tell)();
            }
            Phase::Running | Phase::Told => {}
        }
        contents.mail.push(mail);
        self.has_mail.store(true, Ordering::Relaxed);
    }

    /// Takes the mail. Until it rests, the process checks for more by itself.
    pub(in crate::tasks) fn take(&self) -> Vec<Mail> {
        let mut contents = self.contents();
        if contents.phase != Phase::Closed {
            contents.phase = Phase::Running;
        }
        self.has_mail.store(false, Ordering::Relaxed);
        self.rests.store(false, Ordering::Relaxed);
        std::mem::take(&mut contents.mail)
    }

    /// Called when the process is about to return from its tasks. Returns false if there is mail
    /// that it has to take first.
    pub(in crate::tasks) fn rest(&self) -> bool {
        let mut contents = self.contents();
        if contents.mail.is_empty() && contents.phase == Phase::Running {
            contents.phase = Phase::Resting;
            self.rests.store(true, Ordering::Relaxed);
        }
        contents.mail.is_empty()
    }

    /// Closes the inbox when the process has ended. The caller drops the returned mail.
    pub(in crate::tasks) fn close(&self) -> Vec<Mail> {
        let mut contents = self.contents();
        contents.phase = Phase::Closed;
        std::mem::take(&mut contents.mail)
    }
}

/// Checks all interleavings of threads with loom: see bridge/Cargo.toml.
#[cfg(all(test, loom))]
mod loom {
    use ::loom::sync::Arc;
    use ::loom::thread;

    use super::*;

    fn mail() -> Mail {
        Mail::Run(Box::new(|_| {}))
    }

    /// Returns an inbox, and a flag for whether the process was notified, which stands for its
    /// message.
    fn inbox() -> (Arc<Inbox>, Arc<AtomicBool>) {
        let told = Arc::new(AtomicBool::new(false));
        let tell = Arc::clone(&told);
        let tell = move || assert!(!tell.swap(true, Ordering::Relaxed), "it is told once");
        (Arc::new(Inbox::new(Box::new(tell))), told)
    }

    #[test]
    fn a_process_that_rests_is_told_of_mail_or_has_taken_it() {
        ::loom::model(|| {
            let (inbox, told) = inbox();
            let sender = thread::spawn({
                let inbox = Arc::clone(&inbox);
                move || inbox.post(mail())
            });
            let mut taken = inbox.take().len();
            let rests = inbox.rest();
            if !rests {
                taken += inbox.take().len();
            }
            sender.join().expect("it does not panic");
            let left = inbox.take().len();
            assert_eq!(taken + left, 1, "nothing is lost");
            if rests && left == 1 {
                assert!(told.load(Ordering::Relaxed), "nobody has told the process");
            }
        });
    }

    #[test]
    fn nobody_is_told_once_the_process_has_ended() {
        ::loom::model(|| {
            let (inbox, told) = inbox();
            assert!(inbox.rest());
            let sender = thread::spawn({
                let inbox = Arc::clone(&inbox);
                move || inbox.post(mail())
            });
            let left = inbox.close().len();
            let was_told = told.load(Ordering::Relaxed);
            sender.join().expect("it does not panic");
            assert_eq!(was_told, left == 1);
            assert_eq!(told.load(Ordering::Relaxed), was_told);
            assert!(inbox.close().is_empty(), "mail after the end is dropped");
        });
    }
}
