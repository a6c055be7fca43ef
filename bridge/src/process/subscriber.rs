//! The process of a callback, as a subscriber to messages that a library sends.

use std::fmt;
use std::marker::PhantomData;

use super::{Anybody, Sender, SentTo};
use crate::ToTerm;
use crate::runtime::Cx;

/// The calling process as the receiver of messages, with the knowledge which clauses it has: see
/// [`Cx::subscriber`]. A function that subscribes to such messages takes it instead of the context
/// and declares their types in its signature. Then a module without a clause for them does not
/// compile:
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::Term;
/// use otp_bridge::process::{SentTo, Sender, Subscriber};
///
/// /// `{rained, Litres}`
/// #[derive(Debug, Term)]
/// pub struct Rained(u64);
///
/// /// Makes this process get a [`Rained`] whenever it has rained.
/// pub fn subscribe<P>(subscriber: Subscriber<'_, P>)
/// where
///     Rained: SentTo<P>,
/// {
///     let sender: Sender<Rained> = subscriber.sender();
///     std::thread::spawn(move || sender.send(Rained(3)));
/// }
/// ```
pub struct Subscriber<'a, P> {
    cx: &'a Cx<'a>,
    process: PhantomData<fn() -> P>,
}

/// A process whose clauses are not known.
#[derive(Debug)]
pub struct UnknownProcess;

/// A process that is known to handle a message.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "cannot verify that this process handles `{M}`",
    label = "this is not in a callback of a behaviour",
    note = "call `cx.subscriber()` in the behaviour's block, and pass the result to this function as a `Subscriber<'_, P>`, with `where {M}: SentTo<P>`",
    note = "if the process takes the message by `cx.receive()`, write `cx.subscriber().that_receives()`"
)]
pub trait KnownToTake<M> {}

impl<M> SentTo<UnknownProcess> for M where UnknownProcess: KnownToTake<M> {}

impl Cx<'_> {
    /// Returns this process as a subscriber to messages of a library. In the block of a behaviour
    /// the clauses of the block are known, and a subscription to other messages does not compile.
    #[must_use]
    pub fn subscriber(&self) -> Subscriber<'_, UnknownProcess> {
        Subscriber {
            cx: self,
            process: PhantomData,
        }
    }
}

impl<'a, P> Subscriber<'a, P> {
    /// Returns this process as one that takes the messages by [`Cx::receive`] and needs no clause
    /// for them.
    #[must_use]
    pub fn that_receives(self) -> Subscriber<'a, Anybody> {
        self.known_as()
    }

    /// Returns the context of the callback.
    #[must_use]
    pub fn cx(self) -> &'a Cx<'a> {
        self.cx
    }

    /// Returns a handle that sends the process messages that it handles, from any thread.
    #[must_use]
    pub fn sender<M: ToTerm + SentTo<P>>(self) -> Sender<M> {
        self.cx.sender()
    }

    /// Returns this process with more knowledge of its clauses.
    pub(crate) fn known_as<Q>(self) -> Subscriber<'a, Q> {
        Subscriber {
            cx: self.cx,
            process: PhantomData,
        }
    }
}

impl<P> Clone for Subscriber<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Subscriber<'_, P> {}

impl<P> fmt::Debug for Subscriber<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Subscriber")
    }
}
