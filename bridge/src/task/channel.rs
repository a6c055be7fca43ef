//! Channels between the tasks of a process.

use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::Stream;

use crate::runtime::{Cx, ExitOf};
use crate::tasks::{Channel, ChannelAddress, Refused, TryReceived};
use crate::{Exit, Term};

/// The capacity of a channel without a limit.
pub const UNBOUNDED: usize = usize::MAX;

pub(super) fn new<T: Send + 'static>(
    cx: &Cx<'_>,
    capacity: usize,
) -> (ChannelSender<T>, ChannelReceiver<T>) {
    let channel = Channel::new(cx.tasks(), capacity);
    let sender = ChannelSender(ChannelAddress::new(Arc::clone(&channel)));
    (sender, ChannelReceiver(channel))
}

/// The sending end of a channel: see [`Tasks::channel`](super::Tasks::channel).
pub struct ChannelSender<T: Send + 'static>(ChannelAddress<T>);

impl<T: Send + 'static> ChannelSender<T> {
    /// Sends a message. Messages of one task arrive in the order in which they were sent.
    ///
    /// # Errors
    /// The message and the reason: the channel is full, its receiver is gone, or this is not a call
    /// of its process.
    #[inline]
    pub fn send(&self, message: T) -> Result<(), Refused<T>> {
        self.0.send(message)
    }

    /// Waits until the channel has room, then sends a message.
    ///
    /// # Errors
    /// Like [`ChannelSender::send`], but never because the channel is full.
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

impl<T: Send + 'static> ChannelSender<T> {
    pub(super) fn is_open(&self) -> bool {
        self.0.is_open()
    }

    /// Returns whether both send to the same channel.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        std::ptr::eq(&raw const *self.0, &raw const *other.0)
    }
}

impl<T: Send + 'static> Clone for ChannelSender<T> {
    #[inline]
    fn clone(&self) -> Self {
        ChannelSender(self.0.clone())
    }
}

/// The receiving end of a channel: see [`Tasks::channel`](super::Tasks::channel). It is a `Stream`,
/// too.
pub struct ChannelReceiver<T: Send + 'static>(Arc<Channel<T>>);

impl<T: Send + 'static> ChannelReceiver<T> {
    /// Waits for the next message. `None` when all senders are gone. If the future is dropped, for
    /// example because it loses a race, no message is lost.
    ///
    /// # Panics
    /// Outside of a call of the channel's process.
    pub fn receive(&mut self) -> impl Future<Output = Option<T>> + Send + '_ {
        poll_fn(|context| self.0.poll_receive(context))
    }

    /// Takes the next message, if there is one.
    ///
    /// # Errors
    /// [`TryReceiveError::Empty`] if there is no message yet; [`TryReceiveError::Closed`] if there
    /// never will be, because all senders are gone.
    ///
    /// # Panics
    /// Like [`ChannelReceiver::receive`].
    pub fn try_receive(&mut self) -> Result<T, TryReceiveError> {
        match self.0.try_receive() {
            TryReceived::Message(message) => Ok(message),
            TryReceived::Nothing => Err(TryReceiveError::Empty),
            TryReceived::End => Err(TryReceiveError::Closed),
        }
    }

    pub(super) fn poll_receive(&mut self, context: &Context<'_>) -> Poll<Option<T>> {
        self.0.poll_receive(context)
    }

    /// Returns the number of messages in the channel.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether the channel has no messages.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T: Send + 'static> Stream for ChannelReceiver<T> {
    type Item = T;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        self.0.poll_receive(context)
    }
}

impl<T: Send + 'static> Drop for ChannelReceiver<T> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// The reason why there is no message: see [`ChannelReceiver::try_receive`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TryReceiveError {
    /// There is no message yet.
    Empty,
    /// All senders are gone.
    Closed,
}

impl fmt::Display for TryReceiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TryReceiveError::Empty => "the channel is empty",
            TryReceiveError::Closed => "the channel is closed: its senders are gone",
        })
    }
}

impl std::error::Error for TryReceiveError {}

/// `?` on a message that was not sent ends its task or process with the reason as text.
#[diagnostic::do_not_recommend]
impl<T> ExitOf<Refused<T>> for Exit {
    fn of(error: Refused<T>, _: &'static std::panic::Location<'static>) -> Self {
        Exit::new(Term::of(&error.to_string()))
    }
}

impl<T: Send + 'static> fmt::Debug for ChannelSender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChannelSender<{}>", std::any::type_name::<T>())
    }
}

impl<T: Send + 'static> fmt::Debug for ChannelReceiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "ChannelReceiver<{}>({})",
            std::any::type_name::<T>(),
            self.len()
        )
    }
}
