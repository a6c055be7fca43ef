//! Channels: messages from any number of addresses to one mailbox, all in one process.
#![allow(unsafe_code)]

use std::collections::VecDeque;
use std::fmt;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::addresses::Addresses;
use crate::tasks::executor::Executor;
use crate::tasks::executor::local::Local;
use crate::tasks::executor::raw::owned::{Owned, in_process};
use crate::tasks::executor::raw::waker;
use crate::tasks::raw::waiter::Waiter;

/// The reason why a message was not sent, with the message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Refused<T> {
    /// The mailbox is full.
    Full(T),
    /// The mailbox was dropped.
    Closed(T),
    /// This is not a call of the mailbox's process.
    Elsewhere(T),
}

impl<T> Refused<T> {
    /// Returns the message.
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

/// The data that both sides share.
pub(crate) struct Channel<T> {
    owned: Owned<Contents<T>>,
    /// The number of addresses.
    addresses: Addresses,
}

struct Contents<T> {
    /// The first message. Most mailboxes never have a second one.
    first: Option<T>,
    /// The messages behind the first one. There are none if there is no first one.
    more: Option<Box<More<T>>>,
    /// The capacity.
    room: usize,
    receiver: Waiter,
    is_open: bool,
}

struct More<T> {
    messages: VecDeque<T>,
    /// The waiters for room, in their order.
    senders: VecDeque<Waiter>,
}

impl<T> Contents<T> {
    fn more(&mut self) -> &mut More<T> {
        self.more.get_or_insert_with(|| {
            Box::new(More {
                messages: VecDeque::new(),
                senders: VecDeque::new(),
            })
        })
    }

    #[inline]
    fn len(&self) -> usize {
        let more = self.more.as_ref().map_or(0, |more| more.messages.len());
        usize::from(self.first.is_some()) + more
    }

    #[inline]
    fn put(&mut self, message: T) {
        match self.first {
            None => self.first = Some(message),
            Some(_) => self.more().messages.push_back(message),
        }
    }

    /// Takes the first message, and the waiter for its place.
    #[inline]
    fn take(&mut self) -> Option<(T, Waiter)> {
        let message = self.first.take()?;
        let Some(more) = &mut self.more else {
            return Some((message, Waiter::Nobody));
        };
        self.first = more.messages.pop_front();
        Some((message, more.senders.pop_front().unwrap_or_default()))
    }
}

impl<T: Send + 'static> Channel<T> {
    /// Creates a channel without addresses.
    pub(crate) fn new(executor: &Arc<Executor>, room: usize) -> Arc<Self> {
        let contents = Contents {
            first: None,
            more: None,
            room,
            receiver: Waiter::Nobody,
            is_open: true,
        };
        Arc::new(Channel {
            owned: Owned::new(executor, contents),
            addresses: Addresses::none(),
        })
    }

    fn wake_receiver(&self, local: &Local) {
        // SAFETY: the closure only moves a waiter.
        let receiver = unsafe { self.owned.with(|it, _| std::mem::take(&mut it.receiver)) };
        receiver.unwrap_or_default().wake(local);
    }

    #[inline]
    pub(crate) fn send(&self, message: T) -> Result<(), Refused<T>> {
        let Some(local) = self.owned.executor().here() else {
            return Err(Refused::Elsewhere(message));
        };
        // SAFETY: this thread runs a call of the process. The code below only moves a message and a
        // waiter before it stops using the reference.
        let it = unsafe { self.owned.get() };
        if !it.is_open {
            return Err(Refused::Closed(message));
        }
        if it.room != usize::MAX && it.len() >= it.room {
            return Err(Refused::Full(message));
        }
        it.put(message);
        match it.receiver {
            Waiter::Nobody => {}
            Waiter::Task(id) => {
                it.receiver = Waiter::Nobody;
                local.wake(id);
            }
            Waiter::Other(_) => std::mem::take(&mut it.receiver).wake(local),
        }
        Ok(())
    }

    /// Registers the polling task to be woken when there may be room.
    pub(crate) fn wait_for_room(&self, context: &Context<'_>) {
        let waiter = Waiter::of(context, self.owned.executor());
        // SAFETY: the closure only moves a waiter.
        unsafe {
            self.owned.with(|it, _| it.more().senders.push_back(waiter));
        }
    }

    /// Polls for the next message; `None` when no more messages can arrive.
    ///
    /// # Panics
    /// Outside of a call of the channel's process.
    #[inline]
    pub(crate) fn poll_receive(&self, context: &Context<'_>) -> Poll<Option<T>> {
        match self.try_receive() {
            TryReceived::Message(message) => return Poll::Ready(Some(message)),
            TryReceived::End => return Poll::Ready(None),
            TryReceived::Nothing => {}
        }
        let Some(id) = waker::task_of(context.waker(), self.owned.executor()) else {
            return self.wait(context);
        };
        // SAFETY: `try_receive` has found that this thread runs a call of the process. The code
        // below only moves a waiter.
        let it = unsafe { self.owned.get() };
        match it.receiver {
            Waiter::Nobody | Waiter::Task(_) => it.receiver = Waiter::Task(id),
            Waiter::Other(_) => drop(std::mem::replace(&mut it.receiver, Waiter::Task(id))),
        }
        // If another thread drops the last address now, its mail will find the receiver registered.
        Poll::Pending
    }

    /// Waits with a waker that does not belong to this executor.
    #[cold]
    fn wait(&self, context: &Context<'_>) -> Poll<Option<T>> {
        let waiter = Waiter::of(context, self.owned.executor());
        let replace = |it: &mut Contents<T>, _: &Local| std::mem::replace(&mut it.receiver, waiter);
        // SAFETY: the closure only moves a waiter.
        let before = unsafe { self.owned.with(replace) };
        drop(before);
        // A waker is user code: it may have sent a message when it was cloned or dropped. Another
        // thread may have dropped the last address before the receiver was registered.
        match self.try_receive() {
            TryReceived::Message(message) => Poll::Ready(Some(message)),
            TryReceived::End => Poll::Ready(None),
            TryReceived::Nothing => Poll::Pending,
        }
    }

    /// Takes the next message without waiting.
    #[inline]
    pub(crate) fn try_receive(&self) -> TryReceived<T> {
        let Some(local) = self.owned.executor().here() else {
            elsewhere()
        };
        // Check this before the messages: a thread that drops the last address may have sent one
        // first.
        let has_addresses = self.addresses.are_left();
        // SAFETY: this thread runs a call of the process. `take` only moves a message and a waiter.
        let taken = unsafe { self.owned.get() }.take();
        match taken {
            Some((message, sender)) => {
                sender.wake(local);
                TryReceived::Message(message)
            }
            None if has_addresses => TryReceived::Nothing,
            None => TryReceived::End,
        }
    }

    /// Returns whether the mailbox is open. False outside of a call of its process.
    pub(crate) fn is_open(&self) -> bool {
        // SAFETY: the closure only reads a flag.
        unsafe { self.owned.with(|it, _| it.is_open) }.unwrap_or(false)
    }

    /// Returns the number of messages. 0 outside of a call of its process.
    pub(crate) fn len(&self) -> usize {
        // SAFETY: the closure only reads a number.
        unsafe { self.owned.with(|it, _| it.len()) }.unwrap_or(0)
    }

    /// Closes the mailbox: drops its messages and wakes all waiters for room.
    pub(crate) fn close(self: &Arc<Self>) {
        in_process(
            self,
            |it| it.owned.executor(),
            |it, local| {
                let close = |it: &mut Contents<T>, _: &Local| {
                    it.is_open = false;
                    let receiver = std::mem::take(&mut it.receiver);
                    (it.first.take(), it.more.take(), receiver)
                };
                // SAFETY: the closure only moves messages and waiters.
                if let Some((first, more, receiver)) = unsafe { it.owned.with(close) } {
                    drop((first, receiver));
                    if let Some(more) = more {
                        let More { messages, senders } = *more;
                        senders.into_iter().for_each(|sender| sender.wake(local));
                        drop(messages);
                    }
                }
            },
        );
    }
}

/// An address of a channel. All addresses of a channel share one reference to it, so that cloning
/// an address changes only one counter.
pub(crate) struct ChannelAddress<T: Send + 'static>(NonNull<Channel<T>>);

// SAFETY: an address is a reference to a channel, and any thread may have one.
unsafe impl<T: Send> Send for ChannelAddress<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for ChannelAddress<T> {}

impl<T: Send + 'static> ChannelAddress<T> {
    /// Creates the first address of a new channel.
    pub(crate) fn new(channel: Arc<Channel<T>>) -> Self {
        channel.addresses.begin();
        let channel = Arc::into_raw(channel).cast_mut();
        // SAFETY: a reference is not null.
        ChannelAddress(unsafe { NonNull::new_unchecked(channel) })
    }
}

impl<T: Send + 'static> Deref for ChannelAddress<T> {
    type Target = Channel<T>;

    #[inline]
    fn deref(&self) -> &Channel<T> {
        // SAFETY: while an address exists, the reference that the addresses share is not dropped.
        unsafe { self.0.as_ref() }
    }
}

impl<T: Send + 'static> Clone for ChannelAddress<T> {
    #[inline]
    fn clone(&self) -> Self {
        self.addresses.add();
        ChannelAddress(self.0)
    }
}

impl<T: Send + 'static> Drop for ChannelAddress<T> {
    /// Removes the address. The receiver gets the end of the channel after the last message.
    #[inline]
    fn drop(&mut self) {
        if self.addresses.remove() {
            // SAFETY: `new` created the pointer from such an `Arc`, and only the last address
            // converts it back.
            let channel = unsafe { Arc::from_raw(self.0.as_ptr()) };
            in_process(&channel, |it| it.owned.executor(), Channel::wake_receiver);
        }
    }
}

/// The result of looking for a message.
pub(crate) enum TryReceived<T> {
    Message(T),
    Nothing,
    /// The mailbox is empty, and there are no addresses left.
    End,
}

#[cold]
pub(in crate::tasks) fn elsewhere() -> ! {
    panic!("what tasks share can be used in calls of their process only")
}
