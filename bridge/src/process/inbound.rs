//! Mailboxes of tasks that other processes send to.

use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;

use super::Mailbox;
use crate::runtime::{Cx, protocol};
use crate::term::Shape;
use crate::{DecodeError, ErlangType, FromTerm, Heap, Pid, ToTerm, View};

impl Cx<'_> {
    /// A mailbox for messages of other processes, and its address, which is a term. What comes there goes to whoever has
    /// the mailbox, and not to the callbacks of this process. It takes this process's own loop, and so a `gen_server`.
    ///
    /// Rust sends by [`OpenAddress::send`], Erlang by `otp_rs:send(Address, Message)`. A message that is not an `M` is
    /// dropped, and `logger` has an error with the line of this call.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::{Cx, OpenAddress};
    ///
    /// fn listen(cx: &Cx<'_>) -> OpenAddress<String> {
    ///     let (address, mut mailbox) = cx.open_mailbox::<String>();
    ///     cx.spawn(async move |cx| {
    ///         while let Some(line) = mailbox.receive().await {
    ///             cx.send(&otp_bridge::atom!("journal"), line);
    ///         }
    ///         Ok(())
    ///     });
    ///     address
    /// }
    /// ```
    #[track_caller]
    #[must_use]
    pub fn open_mailbox<M: FromTerm + Send + 'static>(&self) -> (OpenAddress<M>, Mailbox<M>) {
        let (address, mailbox) = self.mailbox();
        let send = move |message| address.send(message);
        let number = self.deliver_by(send, Location::caller());
        let open = OpenAddress {
            process: self.pid(),
            number: number.unwrap_or_default(),
            message: PhantomData,
        };
        (open, mailbox)
    }
}

/// The address of a mailbox of tasks, for any process on any node: see [`Cx::open_mailbox`]. As a term:
/// `{pid(), non_neg_integer()}`.
pub struct OpenAddress<M> {
    process: Pid,
    number: u64,
    message: PhantomData<fn(M)>,
}

impl<M: ToTerm> OpenAddress<M> {
    /// Sends a message. As `!`, it cannot fail: if the mailbox or its process is gone, the message is lost.
    pub fn send(&self, cx: &Cx<'_>, message: M) {
        cx.send(&self.process, protocol::to(self.number, &message));
    }
}

impl<M> Clone for OpenAddress<M> {
    fn clone(&self) -> Self {
        OpenAddress {
            process: self.process.clone(),
            number: self.number,
            message: PhantomData,
        }
    }
}

impl<M> PartialEq for OpenAddress<M> {
    fn eq(&self, other: &Self) -> bool {
        self.process == other.process && self.number == other.number
    }
}

impl<M> fmt::Debug for OpenAddress<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OpenAddress({:?}, {})", self.process, self.number)
    }
}

impl<M> ErlangType for OpenAddress<M> {
    fn erlang_type() -> String {
        "{pid(), non_neg_integer()}".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl<M> ToTerm for OpenAddress<M> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        (&self.process, self.number).to_term(heap)
    }
}

#[diagnostic::do_not_recommend]
impl<M> FromTerm for OpenAddress<M> {
    const KIND: Shape = <(Pid, u64)>::KIND;
    const SHAPE: Shape = <(Pid, u64)>::SHAPE;

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        let (process, number) = <(Pid, u64)>::from_term(view)?;
        Ok(OpenAddress {
            process,
            number,
            message: PhantomData,
        })
    }
}
