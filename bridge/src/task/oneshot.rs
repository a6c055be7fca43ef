//! Channels for a single message.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::channel::{self, ChannelReceiver, ChannelSender};
use crate::runtime::Cx;
use crate::tasks::Refused;

pub(super) fn new<T: Send + 'static>(cx: &Cx<'_>) -> (OneshotSender<T>, OneshotReceiver<T>) {
    let (sender, receiver) = channel::new(cx, 1);
    (OneshotSender(sender), OneshotReceiver(receiver))
}

/// Sends the message of a [`oneshot`](super::Tasks::oneshot).
#[derive(Debug)]
pub struct OneshotSender<T: Send + 'static>(ChannelSender<T>);

impl<T: Send + 'static> OneshotSender<T> {
    /// Sends the message.
    ///
    /// # Errors
    /// Like [`ChannelSender::send`]: the receiver is gone.
    pub fn send(self, value: T) -> Result<(), Refused<T>> {
        self.0.send(value)
    }
}

/// The receiving end of a [`oneshot`](super::Tasks::oneshot). Await it to get the value, or `None`
/// if the [`OneshotSender`] was dropped.
#[derive(Debug)]
#[must_use = "it has no value until it is awaited: write `.await`"]
pub struct OneshotReceiver<T: Send + 'static>(ChannelReceiver<T>);

impl<T: Send + 'static> Future for OneshotReceiver<T> {
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        self.0.poll_receive(context)
    }
}
