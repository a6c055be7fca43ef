//! Broadcasts: one message for many receivers.

use std::fmt;

use super::channel::{self, ChannelReceiver, ChannelSender};
use crate::runtime::Cx;
use crate::tasks::{LocalCell, Refused};

/// Sends each message to all its subscribers. Each subscriber has a channel of the same capacity.
pub struct Broadcast<T: Clone + Send + 'static> {
    capacity: usize,
    subscribers: LocalCell<Vec<ChannelSender<T>>>,
}

/// The result of sending a message to all subscribers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Delivery {
    /// The number of subscribers that got the message.
    pub to: usize,
    /// The number of subscribers that did not, because their channels were full.
    pub full: usize,
}

impl<T: Clone + Send + 'static> Broadcast<T> {
    pub(super) fn new(cx: &Cx<'_>, capacity: usize) -> Self {
        Broadcast {
            capacity,
            subscribers: LocalCell::new(cx.tasks(), Vec::new()),
        }
    }

    /// Returns a receiver of all messages that are sent from now until it is dropped.
    ///
    /// # Panics
    /// Outside of a call of its process.
    #[must_use]
    pub fn subscribe(&self, cx: &Cx<'_>) -> ChannelReceiver<T> {
        let (sender, receiver) = channel::new(cx, self.capacity);
        self.subscribers
            .with(|subscribers| subscribers.push(sender));
        receiver
    }

    /// Sends a message to all subscribers.
    ///
    /// # Panics
    /// Like [`Broadcast::subscribe`].
    pub fn send(&self, message: &T) -> Delivery {
        let subscribers = self.subscribers.with(|subscribers| subscribers.clone());
        let mut sent = Delivery::default();
        let mut is_gone = false;
        for sender in &subscribers {
            match sender.send(message.clone()) {
                Ok(()) => sent.to += 1,
                Err(Refused::Full(_)) => sent.full += 1,
                Err(_) => is_gone = true,
            }
        }
        if is_gone {
            self.subscribers
                .with(|subscribers| subscribers.retain(|it| it.is_open()));
        }
        sent
    }
}

impl<T: Clone + Send + 'static> Clone for Broadcast<T> {
    fn clone(&self) -> Self {
        Broadcast {
            capacity: self.capacity,
            subscribers: self.subscribers.clone(),
        }
    }
}

impl<T: Clone + Send + 'static> fmt::Debug for Broadcast<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Broadcast<{}>", std::any::type_name::<T>())
    }
}
