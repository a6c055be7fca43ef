//! What other threads ask of a process's tasks.

use std::sync::{Arc, PoisonError};

use super::Executor;
use crate::sync::{AtomicBool, Mutex, MutexGuard, Ordering};
use crate::tasks::raw::slab::TaskId;

/// What another thread asks for.
pub(crate) enum Mail {
    /// A task is woken.
    Wake(TaskId),
    /// Something is done in the process.
    Run(Posted),
}

/// What is done in the process for another thread.
pub(crate) type Posted = Box<dyn FnOnce(&Arc<Executor>) + Send>;

/// Tells the process that there is mail.
pub(crate) type Tell = Box<dyn Fn() + Send + Sync>;

/// Where other threads leave mail for the process.
pub(in crate::tasks) struct Inbox {
    /// Read by the process between any two polls.
    has_mail: AtomicBool,
    /// Whether the process has said that it rests. Only the process uses it.
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
    /// The process looks for mail before it rests.
    Running,
    /// The process has to be told.
    Resting,
    /// It has been told.
    Told,
    /// It has ended.
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
        // A panic under the lock leaves nothing half-done.
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    pub(in crate::tasks) fn has_mail(&self) -> bool {
        self.has_mail.load(Ordering::Relaxed)
    }

    /// Whether a process that begins to run its tasks has to take mail: there is some, or it has
    /// rested, so that it would be told of more.
    #[inline]
    pub(in crate::tasks) fn is_due(&self) -> bool {
        self.has_mail() || self.rests.load(Ordering::Relaxed)
    }

    /// Leaves mail. It is dropped if the process has ended.
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
                // Under the lock, so that nothing is sent once the process has ended.
                (self.tell)();
            }
            Phase::Running | Phase::Told => {}
        }
        contents.mail.push(mail);
        self.has_mail.store(true, Ordering::Relaxed);
    }

    /// Takes what is there. From now on the process looks for more by itself.
    pub(in crate::tasks) fn take(&self) -> Vec<Mail> {
        let mut contents = self.contents();
        if contents.phase != Phase::Closed {
            contents.phase = Phase::Running;
        }
        self.has_mail.store(false, Ordering::Relaxed);
        self.rests.store(false, Ordering::Relaxed);
        std::mem::take(&mut contents.mail)
    }

    /// The process is about to do something else. Returns false if there is mail that it has to
    /// take first.
    pub(in crate::tasks) fn rest(&self) -> bool {
        let mut contents = self.contents();
        if contents.mail.is_empty() && contents.phase == Phase::Running {
            contents.phase = Phase::Resting;
            self.rests.store(true, Ordering::Relaxed);
        }
        contents.mail.is_empty()
    }

    /// The process has ended. What is there is dropped by the caller.
    pub(in crate::tasks) fn close(&self) -> Vec<Mail> {
        let mut contents = self.contents();
        contents.phase = Phase::Closed;
        std::mem::take(&mut contents.mail)
    }
}

/// The orders in which threads may do it: see bridge/Cargo.toml.
#[cfg(all(test, loom))]
mod loom {
    use ::loom::sync::Arc;
    use ::loom::thread;

    use super::*;

    fn mail() -> Mail {
        Mail::Run(Box::new(|_| {}))
    }

    /// Whether the process was told, which is what its message is.
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
