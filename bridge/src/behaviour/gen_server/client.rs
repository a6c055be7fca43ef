//! Calls and casts.

use otp_contract::library::Request as RequestShape;

use super::{Server, ServerRef, callback, taken};
use crate::process::{Anybody, Destination, SentTo, Target};
use crate::runtime::protocol::{self, shape};
use crate::runtime::{Answers, Await, Cx, Failure, Operation, TermOrigin};
use crate::term::Reader;
use crate::{Atom, Heap, IsTerm, Pid, Request, Timeout, ToTerm, View};

/// The default timeout of `gen_server:call/2` in milliseconds.
pub(super) const DEFAULT_TIMEOUT: u64 = 5_000;

/// A request that can be sent to a server `S`, or to a reference to `S`. `S` is a [`Server`] whose
/// type has a `handle_call/3` clause for the request, or any process that is known by its pid or
/// name alone.
#[diagnostic::on_unimplemented(
    message = "a `{S}` is not a server that can be called",
    label = "requests go to a `Server`, a `Machine`, a `Pid`, an `Atom` (a registered name) or a `(name, node)`"
)]
pub trait RequestTo<S> {
    /// Returns the server that gets the request.
    #[doc(hidden)]
    fn target(server: &S) -> Target<'_>;
}

/// A message that can be cast to a server `S`; see [`RequestTo`].
#[diagnostic::on_unimplemented(
    message = "a `{S}` is not a server that can be cast to",
    label = "messages go to a `Server`, a `Machine`, a `Pid`, an `Atom` (a registered name) or a `(name, node)`"
)]
pub trait MessageTo<S> {
    /// Returns the server that gets the message.
    #[doc(hidden)]
    fn target(server: &S) -> Target<'_>;
}

/// Implements both traits for a type and for references to it. An implementation for all references
/// at once would add a step to each message of the compiler.
macro_rules! sent_to {
    ($to:ident<$server:ty> for $message:ident where $($bound:tt)*) => {
        impl<$($bound)*> $to<$server> for $message {
            fn target(server: &$server) -> Target<'_> {
                server.target()
            }
        }

        impl<$($bound)*> $to<&$server> for $message {
            fn target<'a>(server: &'a &$server) -> Target<'a> {
                server.target()
            }
        }
    };
}
pub(in crate::behaviour) use sent_to;

sent_to!(RequestTo<Server<T>> for R where T: Answers<R>, R);
sent_to!(MessageTo<Server<T>> for M where T: callback::HandleCast<M>, M);

macro_rules! untyped {
    ($($type:ty),+) => {$(
        sent_to!(RequestTo<$type> for R where R);
        sent_to!(MessageTo<$type> for M where M);
    )+};
}

untyped!(Pid, Atom, (Atom, Atom), ServerRef);

impl<T: taken::TakesMessage<M>, M> SentTo<Server<T>> for M {}

#[diagnostic::do_not_recommend]
impl Destination for ServerRef {
    type Process = Anybody;

    fn target(&self) -> Target<'_> {
        match self {
            ServerRef::Pid(pid) => Target::Pid(pid),
            ServerRef::LocalName(name) => Target::Name(name),
            ServerRef::NameNode { name, node } => Target::OnNode(name, node),
            ServerRef::Global(name) => Target::Global(name),
            ServerRef::Via { reg_mod, via_name } => Target::Via(reg_mod, via_name),
        }
    }
}

/// A call of `gen_server:call/3`.
#[derive(Debug)]
pub struct ServerCall<S, R> {
    server: S,
    request: R,
    timeout: Timeout,
}

impl Cx<'_> {
    /// Sends a request and waits up to five seconds for its reply: `gen_server:call/2`. Pass the
    /// server by reference, or by value if the call outlives it.
    ///
    /// # Errors
    /// The exit of `gen_server:call/2`: `{noproc, _}`, `{timeout, _}`, the server's own reason; a
    /// decode error if the reply does not have the request's reply type.
    #[track_caller]
    pub fn call<'a, S, R: Request + RequestTo<S>>(
        &'a self,
        server: S,
        request: R,
    ) -> Await<'a, R::Reply, ServerCall<S, R>> {
        self.call_within(server, request, Timeout::from_millis(DEFAULT_TIMEOUT))
    }

    /// Like [`Cx::call`], with another timeout, a [`Duration`](std::time::Duration) or
    /// [`Timeout::Infinity`]: `gen_server:call/3`.
    ///
    /// # Errors
    /// As [`Cx::call`].
    #[track_caller]
    pub fn call_within<'a, S, R: Request + RequestTo<S>>(
        &'a self,
        server: S,
        request: R,
        timeout: impl Into<Timeout>,
    ) -> Await<'a, R::Reply, ServerCall<S, R>> {
        let timeout = timeout.into();
        Await::new(
            self,
            ServerCall {
                server,
                request,
                timeout,
            },
        )
    }

    /// Sends a request and returns a future of its reply: `gen_server:send_request/2`. You can keep
    /// futures of many requests in any collection, and await them one after the other, all together
    /// or until the first reply (docs/awaiting.md). There is no time limit but that of
    /// [`Cx::timeout`].
    ///
    /// The request is sent when the callback first waits for something. If you drop the future, the
    /// reply is discarded.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::{Cx, Pid, Result, Term, join_all};
    ///
    /// /// `count`: a number.
    /// #[derive(Debug, Term)]
    /// #[reply(u64)]
    /// struct Count;
    ///
    /// async fn total(cx: &Cx<'_>, shards: &[Pid]) -> u64 {
    ///     let requests = shards.iter().map(|shard| cx.send_request(shard, Count));
    ///     let replies: Vec<Result<u64>> = join_all(requests).await;
    ///     replies.into_iter().flatten().sum()
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`Cx::call`].
    #[track_caller]
    pub fn send_request<'a, S, R: Request + RequestTo<S>>(
        &'a self,
        server: S,
        request: R,
    ) -> Await<'a, R::Reply, ServerCall<S, R>> {
        let timeout = Timeout::Infinity;
        Await::begun(
            self,
            ServerCall {
                server,
                request,
                timeout,
            },
        )
    }

    /// Sends a message and does not wait: `gen_server:cast/2`. It cannot fail: a message to a
    /// server that does not exist is lost. Messages to one server arrive in the order in which they
    /// were sent.
    pub fn cast<S, M: ToTerm + MessageTo<S>>(&self, server: S, message: M) {
        match M::target(&server) {
            // OTP looks up these names.
            to @ (Target::OnNode(..) | Target::Global(_) | Target::Via(..)) => {
                self.send_to(to, &message, protocol::gen_server, protocol::cast);
            }
            to @ (Target::Pid(_) | Target::Name(_) | Target::Alias(_)) => {
                let message = (protocol::gen_cast, &message);
                self.send_to(to, &message, protocol::erlang, protocol::send);
            }
        }
    }
}

impl<S, R: Request + RequestTo<S>> Operation for ServerCall<S, R> {
    type Output = R::Reply;

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        shape!(
            heap,
            RequestShape::Call,
            R::target(&self.server).to_term(heap),
            self.request.to_term(heap),
            self.timeout.to_term(heap),
        )
    }

    fn origin(&self) -> TermOrigin {
        R::target(&self.server).origin()
    }

    fn answer<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<R::Reply, Failure> {
        let reply = R::Reply::read_part(value, reader);
        Ok(reply.map_err(|error| error.at_field("Reply"))?)
    }
}
