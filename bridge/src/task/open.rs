//! Channels of tasks that any process can send to.

use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;

use super::ChannelSender;
use crate::runtime::{Cx, protocol};
use crate::term::Shape;
use crate::{DecodeError, ErlangType, FromTerm, Heap, Pid, ToTerm, View};

impl<M: FromTerm + Send + 'static> ChannelSender<M> {
    /// Returns a sender to the same channel for processes on all nodes. The sender is a term. The
    /// channel's receiver gets these messages, not the callbacks of this process. This works only
    /// in a process that has a message loop of its own, such as a `gen_server`.
    ///
    /// Rust sends with [`OpenSender::send`], Erlang with `otp_rs:send(ChannelAddress, Message)`. A
    /// message that is not an `M` is dropped, and an error with the line of this call is logged. If
    /// the channel is full, messages are dropped, too.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::Cx;
    /// use otp_bridge::task::{OpenSender, Tasks};
    ///
    /// fn listen(cx: &Cx<'_>) -> OpenSender<String> {
    ///     let (sender, mut receiver) = cx.channel::<String>(100);
    ///     cx.spawn_task(async move |cx| {
    ///         while let Some(line) = receiver.receive().await {
    ///             cx.send(&otp_bridge::atom!("journal"), line);
    ///         }
    ///         Ok(())
    ///     });
    ///     sender.open(cx)
    /// }
    /// ```
    #[track_caller]
    #[must_use]
    pub fn open(self, cx: &Cx<'_>) -> OpenSender<M> {
        let send = move |message| self.send(message);
        let number = cx.deliver_by(send, Location::caller());
        OpenSender {
            process: cx.pid(),
            number: number.unwrap_or_default(),
            message: PhantomData,
        }
    }
}

/// Sends to a channel of tasks from any process on any node: see [`ChannelSender::open`]. As a
/// term: `{pid(), non_neg_integer()}`.
pub struct OpenSender<M> {
    process: Pid,
    number: u64,
    message: PhantomData<fn(M)>,
}

impl<M: ToTerm> OpenSender<M> {
    /// Sends a message. Like `!`, it cannot fail: if the receiver or its process is gone, the
    /// message is lost.
    pub fn send(&self, cx: &Cx<'_>, message: M) {
        cx.send(&self.process, protocol::to(self.number, &message));
    }
}

impl<M> Clone for OpenSender<M> {
    fn clone(&self) -> Self {
        OpenSender {
            process: self.process.clone(),
            number: self.number,
            message: PhantomData,
        }
    }
}

impl<M> PartialEq for OpenSender<M> {
    fn eq(&self, other: &Self) -> bool {
        self.process == other.process && self.number == other.number
    }
}

impl<M> fmt::Debug for OpenSender<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OpenSender({:?}, {})", self.process, self.number)
    }
}

impl<M> ErlangType for OpenSender<M> {
    fn erlang_type() -> String {
        "{pid(), non_neg_integer()}".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl<M> ToTerm for OpenSender<M> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        (&self.process, self.number).to_term(heap)
    }
}

#[diagnostic::do_not_recommend]
impl<M> FromTerm for OpenSender<M> {
    const KIND: Shape = <(Pid, u64)>::KIND;
    const SHAPE: Shape = <(Pid, u64)>::SHAPE;

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        let (process, number) = <(Pid, u64)>::from_term(view)?;
        Ok(OpenSender {
            process,
            number,
            message: PhantomData,
        })
    }
}
