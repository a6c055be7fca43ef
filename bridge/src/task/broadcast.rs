//! One message for many.

use std::fmt;

use super::channel::{self, ChannelReceiver, ChannelSender};
use crate::runtime::Cx;
use crate::tasks::{LocalCell, Refused};

/// Sends each message to all its subscribers. Each has room for so many messages.
pub struct Broadcast<T: Clone + Send + 'static> {
    capacity: usize,
    subscribers: LocalCell<Vec<ChannelSender<T>>>,
}

/// What became of a message to all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Delivery {
    /// How many have got it.
    pub to: usize,
    /// How many have not, because their channels were full.
    pub full: usize,
}

impl<T: Clone + Send + 'static> Broadcast<T> {
    pub(super) fn new(cx: &Cx<'_>, capacity: usize) -> Self {
        Broadcast {
            capacity,
            subscribers: LocalCell::new(cx.tasks(), Vec::new()),
        }
    }

    /// A receiver of every message from now on, until it is dropped.
    ///
    /// # Panics
    /// Elsewhere than in a call of its process.
    #[must_use]
    pub fn subscribe(&self, cx: &Cx<'_>) -> ChannelReceiver<T> {
        let (sender, receiver) = channel::new(cx, self.capacity);
        self.subscribers
            .with(|subscribers| subscribers.push(sender));
        receiver
    }

    /// Sends a message to all.
    ///
    /// # Panics
    /// As [`Broadcast::subscribe`].
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
