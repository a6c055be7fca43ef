//! Messages from one process's tasks to another's, as Rust values.

use std::fmt;

use super::{Address, Mailbox};
use crate::nif::ProcessWord;
use crate::runtime::{Cx, Deferred};

impl Cx<'_> {
    /// A mailbox of this process, and an address of it for all processes of this application. Messages are Rust values of
    /// one type, which move to this process. They need not be terms.
    ///
    /// It takes this process's own loop, and so a `gen_server`, as [`Cx::open_mailbox`] does.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::{Cx, Result, TaskPool};
    ///
    /// async fn count(pool: &TaskPool, cx: &Cx<'_>) -> Result<u64> {
    ///     let (address, mut mailbox) = cx.mailbox_across::<u64>();
    ///     for number in 0..10 {
    ///         let address = address.clone();
    ///         let _ = pool.spawn_anywhere(cx, async move |cx| Ok(address.send(cx, number)));
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
    pub fn mailbox_across<T: Send + 'static>(&self) -> (AddressAcross<T>, Mailbox<T>) {
        let (address, mailbox) = self.mailbox();
        let process = self.process();
        (AddressAcross { address, process }, mailbox)
    }
}

/// Where messages for a mailbox are sent from any process of its application: see [`Cx::mailbox_across`].
pub struct AddressAcross<T: Send + 'static> {
    address: Address<T>,
    process: Option<ProcessWord>,
}

/// Messages for one mailbox, in the order in which they were sent.
struct Messages<T: Send + 'static> {
    address: Address<T>,
    messages: Vec<T>,
}

impl<T: Send + 'static> Deferred for Messages<T> {
    fn run(self: Box<Self>, _: &Cx<'_>) {
        for message in self.messages {
            // The mailbox may be gone.
            let _ = self.address.send(message);
        }
    }
}

impl<T: Send + 'static> AddressAcross<T> {
    /// Sends a message. As `!`, it cannot fail: if the mailbox or its process is gone, the message is dropped.
    ///
    /// Messages of one process arrive in the order in which they were sent. What a call sends to one process is one
    /// message of the VM.
    pub fn send(&self, cx: &Cx<'_>, message: T) {
        let join = |last: &mut Messages<T>, message| {
            if !last.address.is_same(&self.address) {
                return Some(message);
            }
            last.messages.push(message);
            None
        };
        let new = |message| Messages {
            address: self.address.clone(),
            messages: vec![message],
        };
        cx.join_deferred(self.process, message, join, new);
    }
}

impl<T: Send + 'static> Clone for AddressAcross<T> {
    fn clone(&self) -> Self {
        AddressAcross {
            address: self.address.clone(),
            process: self.process,
        }
    }
}

impl<T: Send + 'static> fmt::Debug for AddressAcross<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AddressAcross<{}>", std::any::type_name::<T>())
    }
}
