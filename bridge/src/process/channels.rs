//! Messages between the tasks of a process.

use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::Stream;

use crate::runtime::{Cx, ExitOf};
use crate::tasks::{Channel, LocalCell, Received, Refused, Sender};
use crate::{Exit, Term};

impl Cx<'_> {
    /// A mailbox of this process, and an address of it. Messages are Rust values of one type. They need not be terms, and
    /// sending one takes no lock and copies nothing.
    ///
    /// The two go to tasks, into the state and into other messages. They are used in calls of this process only.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::{Cx, Result};
    ///
    /// async fn sum(cx: &Cx<'_>) -> Result<u64> {
    ///     let (address, mut mailbox) = cx.mailbox::<u64>();
    ///     for number in 0..10 {
    ///         let address = address.clone();
    ///         cx.spawn(async move |_| Ok(address.send(number)?));
    ///     }
    ///     drop(address);
    ///     let mut sum = 0;
    ///     while let Some(number) = mailbox.receive().await {
    ///         sum += number;
    ///     }
    ///     Ok(sum)
    /// }
    /// ```
    #[must_use]
    pub fn mailbox<T: Send + 'static>(&self) -> (Address<T>, Mailbox<T>) {
        self.bounded_mailbox(usize::MAX)
    }

    /// The same with room for so many messages. [`Address::send`] gives back what does not fit, and
    /// [`Address::send_when_free`] waits.
    #[must_use]
    pub fn bounded_mailbox<T: Send + 'static>(&self, room: usize) -> (Address<T>, Mailbox<T>) {
        let channel = Channel::new(self.tasks(), room);
        (Address(Sender::new(Arc::clone(&channel))), Mailbox(channel))
    }

    /// A value that is to come: who has the first fulfils it, who has the second awaits it.
    pub fn promise<T: Send + 'static>(&self) -> (Promise<T>, Promised<T>) {
        let (address, mailbox) = self.bounded_mailbox(1);
        (Promise(address), Promised(mailbox))
    }

    /// Mailboxes that all get each message: see [`Broadcast`].
    #[must_use]
    pub fn broadcast<T: Clone + Send + 'static>(&self, room: usize) -> Broadcast<T> {
        Broadcast {
            room,
            subscribers: self.local(Vec::new()),
        }
    }

    /// A value that the tasks and callbacks of this process share. It has no lock. Clones refer to the same value.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::{Cx, Result};
    ///
    /// async fn count(cx: &Cx<'_>) -> Result<u64> {
    ///     let count = cx.local(0);
    ///     let tasks: Vec<_> = (0..10)
    ///         .map(|_| {
    ///             let count = count.clone();
    ///             cx.spawn(async move |_| Ok(count.with(|count| *count += 1)))
    ///         })
    ///         .collect();
    ///     for task in tasks {
    ///         task.await?;
    ///     }
    ///     Ok(count.get())
    /// }
    /// ```
    #[must_use]
    pub fn local<T: Send + 'static>(&self, value: T) -> LocalCell<T> {
        LocalCell::new(self.tasks(), value)
    }
}

/// Where messages for a mailbox are sent: see [`Cx::mailbox`].
pub struct Address<T: Send + 'static>(Sender<T>);

impl<T: Send + 'static> Address<T> {
    /// Sends a message. Messages of one task arrive in the order in which they were sent.
    ///
    /// # Errors
    /// The message and why it was not sent: the mailbox is full or gone, or this is not a call of its process.
    #[inline]
    pub fn send(&self, message: T) -> Result<(), Refused<T>> {
        self.0.send(message)
    }

    /// Sends a message when the mailbox has room for it.
    ///
    /// # Errors
    /// As [`Address::send`], but the mailbox is never full.
    pub async fn send_when_free(&self, message: T) -> Result<(), Refused<T>> {
        let mut kept = Some(message);
        poll_fn(|context| {
            let Some(message) = kept.take() else {
                return Poll::Ready(Ok(()));
            };
            match self.0.send(message) {
                Err(Refused::Full(message)) => {
                    kept = Some(message);
                    self.0.wait_for_room(context);
                    Poll::Pending
                }
                other => Poll::Ready(other),
            }
        })
        .await
    }
}

impl<T: Send + 'static> Address<T> {
    /// Whether both are addresses of one mailbox.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        std::ptr::eq(&raw const *self.0, &raw const *other.0)
    }
}

impl<T: Send + 'static> Clone for Address<T> {
    #[inline]
    fn clone(&self) -> Self {
        Address(self.0.clone())
    }
}

/// Messages that wait for a task or a callback: see [`Cx::mailbox`]. It is a `Stream`, too.
pub struct Mailbox<T: Send + 'static>(Arc<Channel<T>>);

impl<T: Send + 'static> Mailbox<T> {
    /// The next message; `None` when all addresses are gone. No message is lost if the future is dropped, as the loser of
    /// a race is.
    ///
    /// # Panics
    /// Elsewhere than in a call of the mailbox's process.
    pub fn receive(&mut self) -> impl Future<Output = Option<T>> + Send + '_ {
        poll_fn(|context| self.0.poll_receive(context))
    }

    /// The next message, if one is there.
    ///
    /// # Panics
    /// As [`Mailbox::receive`].
    pub fn try_receive(&mut self) -> Option<T> {
        match self.0.try_receive() {
            Received::Message(message) => Some(message),
            Received::Nothing | Received::End => None,
        }
    }

    /// How many messages are there.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T: Send + 'static> Stream for Mailbox<T> {
    type Item = T;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        self.0.poll_receive(context)
    }
}

impl<T: Send + 'static> Drop for Mailbox<T> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Fulfils what somebody awaits: see [`Cx::promise`].
#[derive(Debug)]
pub struct Promise<T: Send + 'static>(Address<T>);

impl<T: Send + 'static> Promise<T> {
    /// The value has come.
    ///
    /// # Errors
    /// As [`Address::send`]: nobody awaits it any more.
    pub fn fulfil(self, value: T) -> Result<(), Refused<T>> {
        self.0.send(value)
    }
}

/// A value that is to come: see [`Cx::promise`]. It is `None` if its [`Promise`] was dropped.
#[derive(Debug)]
#[must_use = "a promised value is awaited: `.await`"]
pub struct Promised<T: Send + 'static>(Mailbox<T>);

impl<T: Send + 'static> Future for Promised<T> {
    type Output = Option<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        self.0.0.poll_receive(context)
    }
}

/// Sends each message to all its subscribers. Each has a mailbox with room for so many messages.
pub struct Broadcast<T: Clone + Send + 'static> {
    room: usize,
    subscribers: LocalCell<Vec<Address<T>>>,
}

/// What became of a message to all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sent {
    /// How many have got it.
    pub to: usize,
    /// How many have not, because their mailboxes were full.
    pub full: usize,
}

impl<T: Clone + Send + 'static> Broadcast<T> {
    /// A mailbox that gets every message from now on, until it is dropped.
    ///
    /// # Panics
    /// Elsewhere than in a call of its process.
    #[must_use]
    pub fn subscribe(&self, cx: &Cx<'_>) -> Mailbox<T> {
        let (address, mailbox) = cx.bounded_mailbox(self.room);
        self.subscribers
            .with(|subscribers| subscribers.push(address));
        mailbox
    }

    /// Sends a message to all.
    ///
    /// # Panics
    /// As [`Broadcast::subscribe`].
    pub fn send(&self, message: &T) -> Sent {
        let subscribers = self.subscribers.with(|subscribers| subscribers.clone());
        let mut sent = Sent::default();
        let mut is_gone = false;
        for address in &subscribers {
            match address.send(message.clone()) {
                Ok(()) => sent.to += 1,
                Err(Refused::Full(_)) => sent.full += 1,
                Err(_) => is_gone = true,
            }
        }
        if is_gone {
            self.subscribers
                .with(|subscribers| subscribers.retain(|it| it.0.is_open()));
        }
        sent
    }
}

impl<T: Clone + Send + 'static> Clone for Broadcast<T> {
    fn clone(&self) -> Self {
        Broadcast {
            room: self.room,
            subscribers: self.subscribers.clone(),
        }
    }
}

/// A message that was not sent ends its task or process with the reason, as text.
#[diagnostic::do_not_recommend]
impl<T> ExitOf<Refused<T>> for Exit {
    fn of(error: Refused<T>, _: &'static std::panic::Location<'static>) -> Self {
        Exit::new(Term::of(&error.to_string()))
    }
}

impl<T: Send + 'static> fmt::Debug for Address<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address<{}>", std::any::type_name::<T>())
    }
}

impl<T: Send + 'static> fmt::Debug for Mailbox<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mailbox<{}>({})", std::any::type_name::<T>(), self.len())
    }
}

impl<T: Clone + Send + 'static> fmt::Debug for Broadcast<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Broadcast<{}>", std::any::type_name::<T>())
    }
}
