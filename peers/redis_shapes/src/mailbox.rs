//! Requests between reactors.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use mio::Waker;

/// A request for a key of another reactor, or the reply to one.
pub struct Letter {
    /// The destination of the reply: the reactor, the connection, and the place there.
    pub from: usize,
    pub connection: usize,
    pub serial: u64,
    /// The key and its new value, or the reply. The reply reuses the memory of the request.
    pub bytes: Vec<u8>,
    pub what: What,
}

pub enum What {
    Get,
    /// Contains the length of the key; the value follows it.
    Set(usize),
    Reply,
}

/// The messages that other reactors have sent to a reactor.
pub struct Mailbox {
    letters: Mutex<Vec<Letter>>,
    /// True if the reactor may be waiting in its poll, so that a sender has to wake it.
    sleeps: AtomicBool,
    waker: Waker,
}

impl Mailbox {
    pub fn new(waker: Waker) -> Self {
        Mailbox {
            letters: Mutex::default(),
            sleeps: AtomicBool::new(false),
            waker,
        }
    }

    /// Sends all of these letters, with at most one wake-up.
    pub fn send(&self, letters: &mut Vec<Letter>) -> io::Result<()> {
        let mut all = self.letters.lock().unwrap_or_else(PoisonError::into_inner);
        all.append(letters);
        drop(all);
        match self.sleeps.swap(false, Ordering::SeqCst) {
            true => self.waker.wake(),
            false => Ok(()),
        }
    }

    /// Returns whether the reactor may wait now: no letter has arrived.
    pub fn fall_asleep(&self) -> bool {
        self.sleeps.store(true, Ordering::SeqCst);
        let letters = self.letters.lock().unwrap_or_else(PoisonError::into_inner);
        letters.is_empty()
    }

    pub fn wake_up(&self) {
        self.sleeps.store(false, Ordering::SeqCst);
    }

    /// Takes all letters, and leaves an empty vector for the next ones.
    pub fn take(&self, empty: &mut Vec<Letter>) {
        let mut letters = self.letters.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::swap(&mut *letters, empty);
    }
}
