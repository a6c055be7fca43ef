//! Calls and casts.

use super::{Server, ServerRef, callback};
use crate::process::{Destination, Target};
use crate::runtime::{Accepts, Await, CallOf, Cx, Operation, protocol};
use crate::{Atom, DecodeError, FromTerm, Heap, Pid, Request, Timeout, ToTerm, View};

/// Milliseconds after which `gen_server:call/2` gives up.
const DEFAULT_TIMEOUT: u64 = 5_000;

/// What can be called with a request of type `R`: a [`Server`] whose type has a `handle_call/3`
/// clause for it, or any process of which only the name or pid is known.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no `handle_call/3` clause for `{R}`",
    label = "not a request of this server"
)]
pub trait Callable<R> {
    /// Where the request goes.
    fn called(&self) -> Target<'_>;
}

/// What can be cast a message of type `M`; see [`Callable`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no `handle_cast/2` clause for `{M}`",
    label = "not a message of this server"
)]
pub trait Castable<M> {
    /// Where the message goes.
    fn cast_to(&self) -> Target<'_>;
}

impl<T: Accepts<CallOf<R>>, R: Request> Callable<R> for Server<T> {
    fn called(&self) -> Target<'_> {
        self.target()
    }
}

impl<T: callback::HandleCast<M>, M: FromTerm> Castable<M> for Server<T> {
    fn cast_to(&self) -> Target<'_> {
        self.target()
    }
}

macro_rules! untyped {
    ($($type:ty),+) => {$(
        impl<R: Request> Callable<R> for $type {
            fn called(&self) -> Target<'_> {
                self.target()
            }
        }

        impl<M: ToTerm> Castable<M> for $type {
            fn cast_to(&self) -> Target<'_> {
                self.target()
            }
        }
    )+};
}

untyped!(Pid, Atom, (Atom, Atom), ServerRef);

impl Destination for ServerRef {
    fn target(&self) -> Target<'_> {
        match self {
            ServerRef::Pid(pid) => Target::Pid(pid),
            ServerRef::LocalName(name) => Target::Name(name),
            ServerRef::Tuple(name, node) => Target::OnNode(name, node),
            ServerRef::Global(name) => Target::Global(name),
            ServerRef::Via(module, name) => Target::Via(module, name),
        }
    }
}

/// `gen_server:call/3` under way.
#[derive(Debug)]
pub struct Call<'a, R> {
    server: Target<'a>,
    request: R,
    timeout: Timeout,
}

impl Cx<'_> {
    /// Sends a request and waits for its reply, at most five seconds: `gen_server:call/2`.
    ///
    /// # Errors
    /// What `gen_server:call/2` exits with: `{noproc, _}`, `{timeout, _}`, the server's own
    /// reason; a decode error when the reply is not of the request's type.
    #[track_caller]
    pub fn call<'a, R: Request, S: Callable<R>>(
        &'a self,
        server: &'a S,
        request: R,
    ) -> Await<'a, Call<'a, R>> {
        self.call_within(server, request, Timeout::from_millis(DEFAULT_TIMEOUT))
    }

    /// The same with a time limit of its own: `gen_server:call/3`.
    ///
    /// # Errors
    /// As [`Cx::call`].
    #[track_caller]
    pub fn call_within<'a, R: Request, S: Callable<R>>(
        &'a self,
        server: &'a S,
        request: R,
        timeout: Timeout,
    ) -> Await<'a, Call<'a, R>> {
        let server = server.called();
        Await::new(
            self,
            Call {
                server,
                request,
                timeout,
            },
        )
    }

    /// Sends a message and does not wait: `gen_server:cast/2`. It cannot fail: a message to a server
    /// that is not there is lost. Messages to one server arrive in the order in which they were sent.
    pub fn cast<M: ToTerm, S: Castable<M>>(&self, server: &S, message: M) {
        match server.cast_to() {
            // What these names stand for, OTP looks up.
            to @ (Target::OnNode(..) | Target::Global(_) | Target::Via(..)) => {
                self.send_to(to, &message, protocol::gen_server, protocol::cast);
            }
            to @ (Target::Pid(_) | Target::Name(_)) => {
                let message = (protocol::gen_cast, &message);
                self.send_to(to, &message, protocol::erlang, protocol::send);
            }
        }
    }
}

impl<R: Request> Operation for Call<'_, R> {
    type Output = R::Reply;

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        heap.tuple([
            protocol::call.to_term(heap),
            self.server.to_term(heap),
            self.request.to_term(heap),
            self.timeout.to_term(heap),
        ])
    }

    fn answer<'a, V: View<'a>>(value: V) -> Result<R::Reply, DecodeError> {
        R::Reply::from_term(value).map_err(|error| error.at_field("Reply"))
    }
}
