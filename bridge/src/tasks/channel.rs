//! Messages from any number of addresses to one mailbox, all of one process.
#![allow(unsafe_code)]

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use super::executor::Executor;
use super::local::Local;
use super::owned::{Owned, in_process};
use super::waiter::Waiter;

/// Why a message was not sent: it comes back.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Refused<T> {
    /// The mailbox has no room.
    Full(T),
    /// The mailbox is gone.
    Closed(T),
    /// This is not a call of the mailbox's process.
    Elsewhere(T),
}

impl<T> Refused<T> {
    /// The message.
    pub fn into_message(self) -> T {
        match self {
            Refused::Full(message) | Refused::Closed(message) | Refused::Elsewhere(message) => {
                message
            }
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Refused::Full(_) => "the mailbox is full",
            Refused::Closed(_) => "the mailbox is gone",
            Refused::Elsewhere(_) => "the mailbox belongs to another process",
        }
    }
}

impl<T> fmt::Debug for Refused<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl<T> fmt::Display for Refused<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl<T> std::error::Error for Refused<T> {}

/// What both sides share.
pub(crate) struct Channel<T> {
    owned: Owned<Contents<T>>,
    /// How many addresses there are.
    addresses: AtomicUsize,
}

struct Contents<T> {
    messages: VecDeque<T>,
    /// How many messages it may hold.
    room: usize,
    receiver: Waiter,
    /// Who waits for room, the first one first.
    senders: VecDeque<Waiter>,
    is_open: bool,
}

impl<T: Send + 'static> Channel<T> {
    /// A channel with one address.
    pub(crate) fn new(executor: &Arc<Executor>, room: usize) -> Arc<Self> {
        let contents = Contents {
            messages: VecDeque::new(),
            room,
            receiver: Waiter::Nobody,
            senders: VecDeque::new(),
            is_open: true,
        };
        Arc::new(Channel {
            owned: Owned::new(executor, contents),
            addresses: AtomicUsize::new(1),
        })
    }

    /// Another address exists.
    pub(crate) fn add_address(&self) {
        self.addresses.fetch_add(1, Ordering::Relaxed);
    }

    /// An address is gone. The receiver sees the end behind the last message.
    pub(crate) fn drop_address(self: &Arc<Self>) {
        if self.addresses.fetch_sub(1, Ordering::Release) == 1 {
            in_process(self, |it| it.owned.executor(), Self::wake_receiver);
        }
    }

    fn wake_receiver(&self, local: &Local) {
        // SAFETY: a waiter is moved.
        let receiver = unsafe { self.owned.with(|it, _| std::mem::take(&mut it.receiver)) };
        receiver.unwrap_or_default().wake(local);
    }

    #[inline]
    pub(crate) fn send(&self, message: T) -> Result<(), Refused<T>> {
        let mut message = Some(message);
        // SAFETY: a message and a waiter are moved.
        let sent = unsafe {
            self.owned.with(|it, local| {
                if !it.is_open {
                    return Err(Refused::Closed(()));
                }
                if it.messages.len() >= it.room {
                    return Err(Refused::Full(()));
                }
                it.messages.extend(message.take());
                match std::mem::take(&mut it.receiver) {
                    // Only a number is looked up.
                    Waiter::Task(id) => {
                        local.wake(id);
                        Ok(Waiter::Nobody)
                    }
                    other => Ok(other),
                }
            })
        };
        let back = message;
        match (sent, back) {
            (Some(Ok(receiver)), _) => {
                if let Waiter::Other(waker) = receiver {
                    waker.wake();
                }
                Ok(())
            }
            (Some(Err(Refused::Full(()))), Some(back)) => Err(Refused::Full(back)),
            (Some(Err(_)), Some(back)) => Err(Refused::Closed(back)),
            (_, Some(back)) => Err(Refused::Elsewhere(back)),
            (_, None) => Ok(()),
        }
    }

    /// Whoever polls is woken when there may be room.
    pub(crate) fn wait_for_room(&self, context: &Context<'_>) {
        let waiter = Waiter::of(context, self.owned.executor());
        // SAFETY: a waiter is moved.
        unsafe { self.owned.with(|it, _| it.senders.push_back(waiter)) };
    }

    /// The next message; `None` when none will come any more.
    ///
    /// # Panics
    /// Elsewhere than in the channel's process.
    #[inline]
    pub(crate) fn poll_receive(&self, context: &Context<'_>) -> Poll<Option<T>> {
        match self.try_receive() {
            Received::Message(message) => return Poll::Ready(Some(message)),
            Received::End => return Poll::Ready(None),
            Received::Nothing => {}
        }
        let waiter = Waiter::of(context, self.owned.executor());
        let replace = |it: &mut Contents<T>, _: &Local| std::mem::replace(&mut it.receiver, waiter);
        // SAFETY: a waiter is moved.
        let before = unsafe { self.owned.with(replace) };
        drop(before);
        // A waker's code is the user's: it may have sent a message when it was cloned or dropped. The last address may
        // be gone since, on another thread, which has seen no receiver.
        match self.try_receive() {
            Received::Message(message) => Poll::Ready(Some(message)),
            Received::End => Poll::Ready(None),
            Received::Nothing => Poll::Pending,
        }
    }

    /// The next message that is there.
    #[inline]
    pub(crate) fn try_receive(&self) -> Received<T> {
        let has_addresses = self.addresses.load(Ordering::Acquire) > 0;
        let take = |it: &mut Contents<T>, _: &Local| {
            let message = it.messages.pop_front();
            let sender = message.as_ref().and_then(|_| it.senders.pop_front());
            (message, sender)
        };
        // SAFETY: a message and a waiter are moved.
        let taken = unsafe { self.owned.with(take) };
        let (message, sender) = taken.unwrap_or_else(|| elsewhere());
        if let Some(sender) = sender
            && let Some(local) = self.owned.executor().here()
        {
            sender.wake(local);
        }
        match message {
            Some(message) => Received::Message(message),
            None if has_addresses => Received::Nothing,
            None => Received::End,
        }
    }

    /// Whether the mailbox is there, as far as this thread can see.
    pub(crate) fn is_open(&self) -> bool {
        // SAFETY: a flag is read.
        unsafe { self.owned.with(|it, _| it.is_open) }.unwrap_or(false)
    }

    /// How many messages are there. 0 elsewhere than in its process.
    pub(crate) fn len(&self) -> usize {
        // SAFETY: a number is read.
        unsafe { self.owned.with(|it, _| it.messages.len()) }.unwrap_or(0)
    }

    /// The mailbox is gone: its messages are dropped, and whoever waits for room sees it.
    pub(crate) fn close(self: &Arc<Self>) {
        in_process(
            self,
            |it| it.owned.executor(),
            |it, local| {
                let close = |it: &mut Contents<T>, _: &Local| {
                    it.is_open = false;
                    let receiver = std::mem::take(&mut it.receiver);
                    let messages = std::mem::take(&mut it.messages);
                    (messages, receiver, std::mem::take(&mut it.senders))
                };
                // SAFETY: messages and waiters are moved.
                if let Some((messages, receiver, senders)) = unsafe { it.owned.with(close) } {
                    senders.into_iter().for_each(|sender| sender.wake(local));
                    drop((messages, receiver));
                }
            },
        );
    }
}

/// What a mailbox has.
pub(crate) enum Received<T> {
    Message(T),
    Nothing,
    /// Nothing, and nobody can send any more.
    End,
}

#[cold]
pub(super) fn elsewhere() -> ! {
    panic!("what tasks share can be used in calls of their process only")
}
