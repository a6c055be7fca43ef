//! Receiving messages by their type.

mod selector;

use std::marker::PhantomData;
use std::time::Duration;

use otp_contract::library::Request;
use selector::Selector;

use super::operations::milliseconds;
use crate::runtime::protocol::{infinity, shape};
use crate::runtime::{Await, Cx, Failure, Operation, WhenDropped, message_limit};
use crate::term::Reader;
use crate::{DecodeError, FromTerm, Heap, Reference, ToTerm, View};

impl Cx<'_> {
    /// Waits for the first message in the mailbox that is an `M`, as Erlang's `receive` does. With
    /// an enum it takes the first message of any of the enum's kinds.
    ///
    /// A message is an `M` if its outer shape matches, as in a pattern of Erlang: it is the atom;
    /// or a tuple with the tag and the number of elements; or, for other types, a term of the same
    /// kind (integer, binary, map, …). All other messages stay in the mailbox, in their order.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::{Cx, Pid, Result, Term};
    ///
    /// /// `{answer, Number} | give_up`
    /// #[derive(Debug, Term)]
    /// enum Reply {
    ///     Answer(u64),
    ///     GiveUp,
    /// }
    ///
    /// async fn ask(cx: &Cx<'_>, oracle: &Pid) -> Result<Option<u64>> {
    ///     cx.send(oracle, (otp_bridge::atom!("ask"), cx.pid()));
    ///     match cx.receive().await? {
    ///         Reply::Answer(number) => Ok(Some(number)),
    ///         Reply::GiveUp => Ok(None),
    ///     }
    /// }
    /// ```
    ///
    /// You can combine it with other operations (`join!`, [`race`](crate::race), [`Cx::timeout`]).
    /// If you drop it, every message stays in the mailbox. If several wait, each message is taken
    /// by the one that has waited longest among those that match it.
    ///
    /// In a callback of a behaviour it may take messages that the module has a clause for, such as
    /// calls (`'$gen_call'`), if `M` is that wide: a [`Term`](enum@crate::Term) matches every
    /// message.
    ///
    /// If the message contains a [`Caller`](crate::Caller), you are responsible for its reply: a
    /// caller that is dropped without a reply is logged, and its call ends.
    ///
    /// # Errors
    /// A decode error, with the position, if a message of this shape is not an `M` inside. The
    /// message is then no longer in the mailbox.
    #[track_caller]
    pub fn receive<M: Received>(&self) -> Await<'_, M, Receive<M>> {
        Await::new(self, Receive::any())
    }

    /// Like [`Cx::receive`], for at most this time: `receive … after Time -> … end`. Returns `None`
    /// if no message has arrived. With [`Duration::ZERO`] it takes a message that is already in the
    /// mailbox.
    ///
    /// The time is rounded up to milliseconds and is at most 49 days.
    ///
    /// # Errors
    /// Like [`Cx::receive`].
    #[track_caller]
    pub fn receive_within<M: Received>(
        &self,
        time: Duration,
    ) -> Await<'_, Option<M>, ReceiveWithin<M>> {
        Await::new(self, ReceiveWithin(milliseconds(time), PhantomData))
    }
}

/// A message that can be received: every type that can be read from a term.
#[diagnostic::on_unimplemented(
    message = "a message of the type `{Self}` cannot be received",
    label = "write the type of the message: `cx.receive::<Message>()`",
    note = "the type needs `#[derive(Term)]`; the type `Term` receives every message"
)]
pub trait Received: FromTerm {}

#[diagnostic::do_not_recommend]
impl<M: FromTerm> Received for M {}

/// `receive Message -> Message end`
#[derive(Debug)]
pub struct Receive<M> {
    /// The second element of the tuple, if messages are selected by it.
    of: Option<Reference>,
    message: PhantomData<fn() -> M>,
}

impl<M: FromTerm> Receive<M> {
    fn any() -> Self {
        Receive {
            of: None,
            message: PhantomData,
        }
    }

    /// Selects only tuples with this second element, like the messages of a monitor or a timer.
    pub(super) fn with(reference: &Reference) -> Self {
        Receive {
            of: Some(reference.clone()),
            message: PhantomData,
        }
    }
}

impl<M: FromTerm> Operation for Receive<M> {
    type Output = M;

    const WHEN_DROPPED: WhenDropped = WhenDropped::SentAgain;

    fn limit() -> usize {
        message_limit()
    }

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        let selector = Selector::of(const { &M::SHAPE }).to_term(heap, self.of.as_ref());
        shape!(heap, Request::Receive, selector, infinity.to_term(heap))
    }

    fn answer<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<M, Failure> {
        match received(value, reader)? {
            Some(message) => Ok(message),
            None => Err(DecodeError::expected::<M, V>(value).into()),
        }
    }

    fn watched(mut message: M, cx: &Cx<'_>) -> M {
        cx.watch(&mut message);
        message
    }
}

/// `receive Message -> Message after Time -> … end`
#[derive(Debug)]
pub struct ReceiveWithin<M>(u32, PhantomData<fn() -> M>);

impl<M: FromTerm> Operation for ReceiveWithin<M> {
    type Output = Option<M>;

    const WHEN_DROPPED: WhenDropped = WhenDropped::SentAgain;

    fn limit() -> usize {
        message_limit()
    }

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        let selector = Selector::of(const { &M::SHAPE }).to_term(heap, None);
        shape!(heap, Request::Receive, selector, self.0.to_term(heap))
    }

    fn answer<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<Option<M>, Failure> {
        received(value, reader)
    }

    fn watched(mut message: Option<M>, cx: &Cx<'_>) -> Option<M> {
        cx.watch(&mut message);
        message
    }
}

/// Reads `[Message]` or `[]`.
fn received<'a, M: FromTerm, V: View<'a>>(
    value: V,
    reader: Reader<'_>,
) -> Result<Option<M>, Failure> {
    let message = value.list().and_then(|mut messages| messages.next());
    let read = message
        .map(|message| M::__read(message, reader))
        .transpose();
    Ok(read.map_err(|error| error.at_field("Message"))?)
}
