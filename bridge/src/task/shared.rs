//! Channels that carry Rust values from the tasks of one process to those of another.

use std::fmt;

use super::ChannelSender;
use crate::nif::ProcessWord;
use crate::runtime::{Cx, Deferred};

impl<T: Send + 'static> ChannelSender<T> {
    /// Returns a sender to the same channel for all processes of this application. Messages move to
    /// this process as Rust values. If the channel is full, they are dropped.
    ///
    /// This works only in a process that has a message loop of its own, such as a `gen_server`, as
    /// with [`ChannelSender::open`].
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::task::{TaskPool, Tasks, UNBOUNDED};
    /// use otp_bridge::{Cx, Result};
    ///
    /// async fn count(pool: &TaskPool, cx: &Cx<'_>) -> Result<u64> {
    ///     let (sender, mut receiver) = cx.channel::<u64>(UNBOUNDED);
    ///     let sender = sender.shared(cx);
    ///     for number in 0..10 {
    ///         let sender = sender.clone();
    ///         let _ = pool.spawn_anywhere(cx, async move |cx| Ok(sender.send(cx, number)));
    ///     }
    ///     drop(sender);
    ///     let mut sum = 0;
    ///     while let Some(number) = receiver.receive().await {
    ///         sum += number;
    ///     }
    ///     Ok(sum)
    /// }
    /// ```
    #[must_use]
    pub fn shared(self, cx: &Cx<'_>) -> SharedSender<T> {
        let process = cx.process();
        SharedSender {
            sender: self,
            process,
        }
    }
}

/// Sends to a channel from any process of its application: see [`ChannelSender::shared`].
pub struct SharedSender<T: Send + 'static> {
    sender: ChannelSender<T>,
    process: Option<ProcessWord>,
}

/// Messages for one channel, in the order in which they were sent.
struct Messages<T: Send + 'static> {
    sender: ChannelSender<T>,
    messages: Vec<T>,
}

impl<T: Send + 'static> Deferred for Messages<T> {
    fn run(self: Box<Self>, _: &Cx<'_>) {
        for message in self.messages {
            // An error means that the receiver is gone or the channel is full.
            let _ = self.sender.send(message);
        }
    }
}

impl<T: Send + 'static> SharedSender<T> {
    /// Sends a message. Like `!`, it cannot fail: if the receiver or its process is gone, or the
    /// channel is full, the message is dropped.
    ///
    /// Messages of one process arrive in the order in which they were sent. All messages that one
    /// call sends to one process are sent in a single message of the VM.
    pub fn send(&self, cx: &Cx<'_>, message: T) {
        let join = |last: &mut Messages<T>, message| {
            if !last.sender.is_same(&self.sender) {
                return Some(message);
            }
            last.messages.push(message);
            None
        };
        let new = |message| Messages {
            sender: self.sender.clone(),
            messages: vec![message],
        };
        cx.join_deferred(self.process, message, join, new);
    }
}

impl<T: Send + 'static> Clone for SharedSender<T> {
    fn clone(&self) -> Self {
        SharedSender {
            sender: self.sender.clone(),
            process: self.process,
        }
    }
}

impl<T: Send + 'static> fmt::Debug for SharedSender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SharedSender<{}>", std::any::type_name::<T>())
    }
}
