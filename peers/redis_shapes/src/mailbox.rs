//! How reactors ask each other.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use mio::Waker;

/// A request for a key of another reactor, or the reply to one.
pub struct Letter {
    /// The reactor, the connection, and the place among its requests that the reply is for.
    pub from: usize,
    pub connection: usize,
    pub serial: u64,
    /// The key and its new value, or the reply: one piece of memory goes there and comes back.
    pub bytes: Vec<u8>,
    pub what: What,
}

pub enum What {
    Get,
    /// The key is so long.
    Set(usize),
    Reply,
}

/// What others have sent to a reactor.
pub struct Mailbox {
    letters: Mutex<Vec<Letter>>,
    /// Whether its poll may wait, so that it has to be woken.
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

    /// Sends everything that is there, with at most one wake-up.
    pub fn send(&self, letters: &mut Vec<Letter>) -> io::Result<()> {
        let mut all = self.letters.lock().unwrap_or_else(PoisonError::into_inner);
        all.append(letters);
        drop(all);
        match self.sleeps.swap(false, Ordering::SeqCst) {
            true => self.waker.wake(),
            false => Ok(()),
        }
    }

    /// Whether the reactor may wait now.
    pub fn fall_asleep(&self) -> bool {
        self.sleeps.store(true, Ordering::SeqCst);
        let letters = self.letters.lock().unwrap_or_else(PoisonError::into_inner);
        letters.is_empty()
    }

    pub fn wake_up(&self) {
        self.sleeps.store(false, Ordering::SeqCst);
    }

    /// Takes what has come, and leaves empty memory for more.
    pub fn take(&self, empty: &mut Vec<Letter>) {
        let mut letters = self.letters.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::swap(&mut *letters, empty);
    }
}
