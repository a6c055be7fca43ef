//! Calls and casts.

use std::sync::Arc;

use super::{Server, ServerRef, callback};
use crate::process::{Await, Cx, Exit, Operation};
use crate::vm::messages;
use crate::{Atom, FromTerm, Heap, Pid, Request, Timeout, ToTerm, View, protocol};

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
    fn server_ref(&self) -> Arc<ServerRef>;
}

/// What can be cast a message of type `M`; see [`Callable`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no `handle_cast/2` clause for `{M}`",
    label = "not a message of this server"
)]
pub trait Castable<M> {
    /// Where the message goes.
    fn server_ref(&self) -> Arc<ServerRef>;
}

impl<T: callback::HandleCall<R>, R: Request> Callable<R> for Server<T> {
    fn server_ref(&self) -> Arc<ServerRef> {
        self.to_shared()
    }
}

impl<T: callback::HandleCast<M>, M: FromTerm> Castable<M> for Server<T> {
    fn server_ref(&self) -> Arc<ServerRef> {
        self.to_shared()
    }
}

macro_rules! untyped {
    ($type:ty, $self:ident => $target:expr) => {
        impl<R: Request> Callable<R> for $type {
            fn server_ref(&$self) -> Arc<ServerRef> {
                Arc::new($target)
            }
        }

        impl<M: ToTerm> Castable<M> for $type {
            fn server_ref(&$self) -> Arc<ServerRef> {
                Arc::new($target)
            }
        }
    };
}

untyped!(Pid, self => ServerRef::Pid(self.clone()));
untyped!(Atom, self => ServerRef::LocalName(self.clone()));
untyped!(ServerRef, self => self.clone());

/// `gen_server:call/3` under way.
#[derive(Debug)]
pub struct Call<R> {
    server: Arc<ServerRef>,
    request: R,
    timeout: Timeout,
}

/// `gen_server:cast/2` under way.
#[derive(Debug)]
pub struct Cast<M> {
    server: Arc<ServerRef>,
    message: M,
}

impl Cx {
    /// Sends a request and waits for its reply, at most five seconds: `gen_server:call/2`.
    ///
    /// # Errors
    /// What `gen_server:call/2` exits with: `{noproc, _}`, `{timeout, _}`, the server's own
    /// reason; a decode error when the reply is not of the request's type.
    pub fn call<R: Request, S: Callable<R>>(&self, server: &S, request: R) -> Await<Call<R>> {
        self.call_within(server, request, Timeout::from_millis(DEFAULT_TIMEOUT))
    }

    /// The same with a time limit of its own: `gen_server:call/3`.
    ///
    /// # Errors
    /// As [`Cx::call`].
    pub fn call_within<R: Request, S: Callable<R>>(
        &self,
        server: &S,
        request: R,
        timeout: Timeout,
    ) -> Await<Call<R>> {
        Await::new(Call {
            server: server.server_ref(),
            request,
            timeout,
        })
    }

    /// Sends a message and does not wait: `gen_server:cast/2`. It always succeeds, whether or not
    /// there is such a server.
    ///
    /// # Errors
    /// None that a running node gives.
    pub fn cast<M: ToTerm, S: Castable<M>>(&self, server: &S, message: M) -> Await<Cast<M>> {
        Await::new(Cast {
            server: server.server_ref(),
            message,
        })
    }
}

impl<R: Request> Operation for Call<R> {
    type Output = R::Reply;

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        heap.tuple([
            protocol::call.to_term(heap),
            self.server.to_term(heap),
            self.request.to_term(heap),
            self.timeout.to_term(heap),
        ])
    }

    fn answer<'a, V: View<'a>>(value: V) -> Result<R::Reply, Exit> {
        R::Reply::from_term(value).map_err(|error| error.at_field("Reply").into())
    }
}

impl<M: ToTerm> Operation for Cast<M> {
    type Output = ();

    /// To a process of this node the message goes straight to its mailbox.
    fn at_once(&self) -> Option<Result<(), Exit>> {
        messages::send_local(&self.server, &(protocol::gen_cast, &self.message)).map(Ok)
    }

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        heap.tuple([
            protocol::cast.to_term(heap),
            self.server.to_term(heap),
            self.message.to_term(heap),
        ])
    }

    fn answer<'a, V: View<'a>>(_: V) -> Result<(), Exit> {
        Ok(())
    }
}
