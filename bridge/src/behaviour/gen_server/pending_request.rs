//! Requests that a server keeps in its state while it handles other messages.

use std::fmt;
use std::marker::PhantomData;

use otp_contract::library::Request as RequestShape;

use super::RequestTo;
use crate::messages::{Down, Response};
use crate::runtime::protocol::shape;
use crate::runtime::{Cx, Exit, Failure, Ongoing, Operation, Result, WhenDropped};
use crate::term::{Reader, Shape};
use crate::{DecodeError, ErlangType, FromTerm, Heap, IsTerm, Reference, Request, ToTerm, View};

/// A request whose reply arrives as a message: [`Response`]. See [`Cx::pending_request`].
pub struct PendingRequest<Reply> {
    monitor: Reference,
    reply: PhantomData<fn() -> Reply>,
}

impl<Reply: IsTerm> PendingRequest<Reply> {
    /// Returns whether the message is the reply to this request.
    #[must_use]
    pub fn is(&self, response: &Response) -> bool {
        self.monitor == response.0.0
    }

    /// Returns whether the message reports that the server ended before it replied.
    pub fn is_down<Reason>(&self, down: &Down<Reason>) -> bool {
        self.monitor == down.monitor
    }

    /// Decodes the reply.
    ///
    /// # Errors
    /// A decode error if it is not a `Reply`; `badarg` if it is the reply to another request.
    #[track_caller]
    pub fn reply(&self, response: &Response) -> Result<Reply> {
        if !self.is(response) {
            let text = "the reply to another request";
            return Err(Exit::error((crate::atoms::badarg, text)));
        }
        Ok(Reply::read_term(&response.1).map_err(|error| error.at_field("Reply"))?)
    }
}

/// An upgrade hands it over with the state that holds it.
impl<Reply> ErlangType for PendingRequest<Reply> {
    fn erlang_type() -> String {
        Reference::erlang_type()
    }
}

#[diagnostic::do_not_recommend]
impl<Reply> ToTerm for PendingRequest<Reply> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        self.monitor.to_term(heap)
    }
}

#[diagnostic::do_not_recommend]
impl<Reply> FromTerm for PendingRequest<Reply> {
    const KIND: Shape = Reference::KIND;
    const SHAPE: Shape = Reference::SHAPE;

    fn from_term<'a, V: View<'a>>(view: V) -> std::result::Result<Self, DecodeError> {
        let monitor = Reference::from_term(view)?;
        Ok(PendingRequest {
            monitor,
            reply: PhantomData,
        })
    }
}

impl<Reply> fmt::Debug for PendingRequest<Reply> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PendingRequest({})", self.monitor)
    }
}

impl Cx<'_> {
    /// Sends a request whose reply arrives as a message: `gen_server:send_request/2`. Keep the
    /// request in the state to handle other messages before the reply. The server needs a clause
    /// for [`Response`], and one for [`Down`], which arrives instead if the called server ends or
    /// does not exist.
    ///
    /// ```
    /// use otp_bridge::atoms::ok;
    /// use otp_bridge::gen_server::{PendingRequest, prelude::*};
    /// use otp_bridge::messages::{Down, Response};
    /// # use otp_bridge_novm as _;
    ///
    /// /// `count`: a number.
    /// #[derive(Debug, Term)]
    /// #[reply(u64)]
    /// pub struct Count;
    ///
    /// /// `{ask, Server}`
    /// #[derive(Debug, Term)]
    /// pub struct Ask(Pid);
    ///
    /// #[derive(Debug, Term)]
    /// pub struct Census {
    ///     asked: Vec<PendingRequest<u64>>,
    ///     sum: u64,
    /// }
    ///
    /// #[gen_server]
    /// impl GenServer for Census {
    ///     type Args = ();
    ///
    ///     fn init(_: ()) -> impl InitReturn<Self> {
    ///         (ok, Census { asked: Vec::new(), sum: 0 })
    ///     }
    ///
    ///     async fn handle_cast(&mut self, Ask(server): Ask, cx: &Cx<'_>) -> Result<HandleCast> {
    ///         self.asked.push(cx.pending_request(&server, Count).await?);
    ///         noreply()
    ///     }
    ///
    ///     fn handle_info(&mut self, response: Response) -> Result<HandleInfo> {
    ///         if let Some(index) = self.asked.iter().position(|it| it.is(&response)) {
    ///             self.sum += self.asked.swap_remove(index).reply(&response)?;
    ///         }
    ///         noreply()
    ///     }
    ///
    ///     fn handle_info(&mut self, down: Down) -> HandleInfo {
    ///         self.asked.retain(|request| !request.is_down(&down));
    ///         noreply()
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    /// The exception of looking up a name of `{via, Module, Name}`.
    #[track_caller]
    pub fn pending_request<'a, S, R: Request + RequestTo<S>>(
        &'a self,
        server: S,
        request: R,
    ) -> Ongoing<'a, PendingRequest<R::Reply>, SendRequest<S, R>> {
        Ongoing::new(self, SendRequest { server, request })
    }
}

/// `gen_server:send_request/2`
#[derive(Debug)]
pub struct SendRequest<S, R> {
    server: S,
    request: R,
}

impl<S, R: Request + RequestTo<S>> Operation for SendRequest<S, R> {
    type Output = PendingRequest<R::Reply>;

    const WHEN_DROPPED: WhenDropped = WhenDropped::GoesOn;

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        let (server, request) = (
            R::target(&self.server).to_term(heap),
            self.request.to_term(heap),
        );
        shape!(heap, RequestShape::SendRequest, server, request)
    }

    fn answer<'a, V: View<'a>>(
        value: V,
        _: Reader<'_>,
    ) -> std::result::Result<Self::Output, Failure> {
        Ok(PendingRequest {
            monitor: Reference::from_term(value)?,
            reply: PhantomData,
        })
    }
}
