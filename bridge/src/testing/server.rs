//! A whole `gen_server` in a test.

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use super::functions::{PendingCall, ProcessCount, functions, next_number};
use super::node::{PerformRequest, unanswered};
use super::sent::Sent;
use super::single::{TestedProcess, parent};
use crate::behaviour::gen_server::{self, GenServer, callback};
use crate::process::Monitor;
use crate::runtime::{Answers, LibraryModules, Module, Result, protocol};
use crate::{Exit, IsTerm, Pid, Request, Term, ToTerm, atom};

/// A `gen_server` that a test drives without a VM. Its clauses are chosen as on the VM, by the
/// terms that arrive. The work of OTP's own loop is done here: `{continue, …}`, timeouts, timers,
/// replies, the end.
///
/// ```
/// use std::time::Duration;
///
/// use otp_bridge::atoms::{normal, ok};
/// use otp_bridge::gen_server::prelude::*;
/// use otp_bridge::testing;
/// # use otp_bridge_novm as _;
///
/// /// A lamp that goes out a minute after it was switched on.
/// #[derive(Debug)]
/// struct Lamp(bool);
///
/// #[derive(Debug, Term)]
/// #[reply(bool)]
/// struct IsOn;
///
/// #[derive(Debug, Term)]
/// struct SwitchOn;
///
/// #[derive(Debug, Term)]
/// struct GoOut;
///
/// #[gen_server]
/// impl GenServer for Lamp {
///     type Args = bool;
///
///     fn init(is_on: bool) -> impl InitReturn<Self> {
///         (ok, Lamp(is_on))
///     }
///
///     fn handle_call(&mut self, _: IsOn) -> HandleCall<bool> {
///         reply(self.0)
///     }
///
///     fn handle_cast(&mut self, _: SwitchOn, cx: &Cx<'_>) -> HandleCast {
///         self.0 = true;
///         cx.send_after(Duration::from_secs(60), GoOut);
///         noreply()
///     }
///
///     fn handle_info(&mut self, _: GoOut, cx: &Cx<'_>) -> HandleInfo {
///         self.0 = false;
///         cx.send(&atom!("journal"), "dark");
///         noreply()
///     }
/// }
///
/// # use otp_bridge::atom;
/// let mut lamp = testing::Server::<Lamp>::start(false)?;
/// lamp.cast(SwitchOn);
/// assert_eq!(lamp.call(IsOn)?, true);
/// lamp.advance(Duration::from_secs(60));
/// assert_eq!(lamp.call(IsOn)?, false);
/// assert_eq!(lamp.sent().to_string(), "journal ! <<\"dark\">>");
/// # Ok::<(), otp_bridge::Exit>(())
/// ```
///
/// The server runs only in calls of the test: each function returns when the server waits for its
/// next message. The time is the server's own. It stands still until [`advance`](Self::advance)
/// moves it, or until something waits for it: a callback's `cx.sleep`, or a [`call`](Self::call)
/// without an immediate reply. `std::time::Instant` is not affected.
///
/// [`answer`](Self::answer) performs the requests that only a VM can perform, such as `cx.call`,
/// `cx.apply` and `cx.receive`.
pub struct Server<T> {
    running: TestedProcess,
    module: PhantomData<fn() -> T>,
    _counted: ProcessCount,
}

functions!(Server, GenServer);

impl<T: GenServer + Module> Server<T> {
    /// Sends a request and waits up to five seconds of the server's time for the reply:
    /// `gen_server:call/2`.
    ///
    /// # Errors
    /// The exit of `gen_server:call/2`: `{timeout, _}`, `{noproc, _}`, `{unanswered, _}`, or the
    /// server's exit reason; a decode error if the reply does not have the request's reply type.
    pub fn call<R: Request>(&mut self, request: R) -> Result<R::Reply>
    where
        T: Answers<R>,
    {
        let reply = self.call_term(Term::of(&request))?;
        Ok(R::Reply::read_term(&reply)?)
    }

    /// Sends a request and does not wait: `gen_server:send_request/2`. [`reply`](Self::reply)
    /// returns the outcome.
    pub fn send_request<R: Request>(&mut self, request: R) -> PendingCall<R>
    where
        T: Answers<R>,
    {
        self.pending(Term::of(&request))
    }

    /// Casts a message: `gen_server:cast/2`. If the server has ended, the message is lost.
    pub fn cast<M: ToTerm>(&mut self, message: M)
    where
        T: callback::HandleCast<M>,
    {
        self.send((protocol::gen_cast, message));
    }

    /// Sends a message that `handle_info` has a clause for: `Server ! Message`.
    pub fn info<M: ToTerm>(&mut self, message: M)
    where
        T: callback::HandleInfo<M>,
    {
        self.send(message);
    }

    /// Returns the server's state, or the last state if the server has ended.
    #[must_use]
    pub fn state(&self) -> &T {
        self.running.state()
    }

    /// Returns the server's state, to change it: `sys:replace_state/2`.
    pub fn state_mut(&mut self) -> &mut T {
        self.running.state_mut()
    }

    /// Returns a reference to the server, for messages and arguments.
    #[must_use]
    pub fn reference(&self) -> gen_server::Server<T> {
        self.pid().into()
    }
}
