//! A whole `gen_server` in a test.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use super::process::{Process, reason_of_end};
use super::sent::Sent;
use super::world::{World, parent, pid, unanswered};
use crate::behaviour::gen_server::{self, GenServer, callback};
use crate::process::Monitor;
use crate::runtime::{Answers, Module, Registry, Result, protocol};
use crate::{Exit, IsTerm, Pid, Request, Term, ToTerm, atom};

/// A `gen_server` that a test drives without a VM. Its clauses are chosen as on the VM, by the terms that come, and
/// what OTP's own loop does around them happens here: `{continue, …}`, timeouts, timers, replies, the end.
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
/// Nothing runs beside the test: each function returns when the server waits for its next message. The time is the
/// server's own. It stands still until [`advance`](Self::advance) moves it, or something waits for it: a callback's
/// `cx.sleep`, or a [`call`](Self::call) that is not replied to at once. `std::time::Instant` is not part of it.
///
/// What only a VM can do, such as `cx.call` and `cx.apply`, [`answer`](Self::answer) does. `cx.receive` is among it.
pub struct Server<T> {
    process: Process,
    module: PhantomData<fn() -> T>,
}

/// A call that the test has made and that may be replied to later: see [`Server::send_request`].
#[derive(Debug, Clone)]
pub struct PendingCall<R> {
    client: Term,
    request: Term,
    kind: PhantomData<fn() -> R>,
}

/// What `gen_server:call/2` waits for a reply.
const CALL_TIMEOUT: Duration = Duration::from_secs(5);

thread_local! {
    /// How many servers this thread's test has. So the first server of each test has the same pid.
    static SERVERS: Cell<u32> = const { Cell::new(0) };
}

impl<T: GenServer + Module> Server<T> {
    /// Starts it. If `init` asks for something that only a VM can do, use [`start_with`](Self::start_with).
    ///
    /// # Errors
    /// The reason for which `init` stops; what it raises; `ignore` if it returns that.
    pub fn start(args: <T as Module>::Args) -> Result<Self> {
        Self::boot(&args, World::new(next_pid(), unanswered()))
    }

    /// The same, with what [`answer`](Self::answer) would be given.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn start_with(
        args: <T as Module>::Args,
        answer: impl FnMut(Term) -> Result<Term> + 'static,
    ) -> Result<Self> {
        Self::boot(&args, World::new(next_pid(), Box::new(answer)))
    }

    fn boot(args: &<T as Module>::Args, world: World) -> Result<Self> {
        let module = Registry::get().module_of::<T>();
        let module = module.unwrap_or_else(|| unreachable!("its attribute has registered it"));
        let process = Process::start(module, T::argument(args), world)?;
        SERVERS.set(SERVERS.get() + 1);
        Ok(Server {
            process,
            module: PhantomData,
        })
    }

    /// From now on, `answer` plays whatever is not in this process: it gets each request that only a VM can perform, as
    /// the generated module would get it (`{call, Server, Request, Timeout}`, `{apply, Module, Function, Arguments}`),
    /// and returns its result or what it raises. It can call another [`Server`] by [`call_term`](Self::call_term).
    pub fn answer(&mut self, answer: impl FnMut(Term) -> Result<Term> + 'static) {
        self.process.world.answer = Box::new(answer);
    }

    /// Sends a request and waits for the reply, at most five seconds of the server's time: `gen_server:call/2`.
    ///
    /// # Errors
    /// What `gen_server:call/2` exits with: `{timeout, _}`, `{noproc, _}`, `{unanswered, _}`, or the reason for which the
    /// server has ended; a decode error if the reply is not of the request's type.
    pub fn call<R: Request>(&mut self, request: R) -> Result<R::Reply>
    where
        T: Answers<R>,
    {
        let reply = self.call_term(Term::of(&request))?;
        Ok(R::Reply::read_term(&reply)?)
    }

    /// The same with any term.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    pub fn call_term(&mut self, request: Term) -> Result<Term> {
        let (client, is_served) = self.request(&request);
        if is_served {
            let end = self.now().saturating_add(CALL_TIMEOUT);
            let is_replied = |world: &World| world.replies.iter().any(|(to, _)| *to == client);
            self.process.advance(end, is_replied);
        }
        let timeout = || Exit::new(called(timeout_reason(), self.pid(), &request));
        let replied = self.outcome(&client, &request);
        replied.unwrap_or_else(|| Err(timeout()))
    }

    /// Sends a request and does not wait: `gen_server:send_request/2`. [`reply`](Self::reply) has what comes of it.
    pub fn send_request<R: Request>(&mut self, request: R) -> PendingCall<R>
    where
        T: Answers<R>,
    {
        let request = Term::of(&request);
        let (client, _) = self.request(&request);
        PendingCall {
            client,
            request,
            kind: PhantomData,
        }
    }

    /// The reply to a request, once it has come. `None`: not yet.
    pub fn reply<R: Request>(&mut self, call: &PendingCall<R>) -> Option<Result<R::Reply>> {
        let outcome = self.outcome(&call.client, &call.request)?;
        let read = |reply: Term| Ok(R::Reply::read_term(&reply)?);
        Some(outcome.and_then(read))
    }

    /// Casts a message: `gen_server:cast/2`. If the server has ended, it is lost.
    pub fn cast<M: ToTerm>(&mut self, message: M)
    where
        T: callback::HandleCast<M>,
    {
        self.send((protocol::gen_cast, message));
    }

    /// Sends a message for which `handle_info` has a clause: `Server ! Message`.
    pub fn info<M: ToTerm>(&mut self, message: M)
    where
        T: callback::HandleInfo<M>,
    {
        self.send(message);
    }

    /// Sends any term: `Server ! Message`. It is a call or a cast if it is one of OTP's messages for that,
    /// `{'$gen_cast', Message}`.
    pub fn send(&mut self, message: impl ToTerm) {
        if self.process.ended.is_none() {
            self.process.deliver(Term::of(&message));
        }
    }

    /// The process that a monitor of the server is for has ended: the server gets a [`Down`](crate::messages::Down).
    ///
    /// # Panics
    /// If the server does not have this monitor (any more).
    #[track_caller]
    pub fn down(&mut self, monitor: &Monitor, reason: impl ToTerm) {
        let reason = Term::of(&reason);
        let is_there = self.process.world.down(monitor.reference(), &reason);
        assert!(is_there, "the server does not have this monitor");
        let down = self.process.world.mailbox.pop_back();
        down.into_iter().for_each(|down| self.send(down));
    }

    /// An exit signal of a linked process, or of `exit(Pid, Reason)`. The server ends with the reason, unless that is
    /// `normal`. If it traps exits, it gets an [`ExitSignal`](crate::messages::ExitSignal), or ends through `terminate`
    /// if the signal is its [`parent`](Self::parent)'s. The reason `kill` ends it in any case.
    pub fn exit(&mut self, from: &Pid, reason: impl ToTerm) {
        self.process.exit(from, Term::of(&reason));
    }

    /// Ends it as its supervisor does: [`exit`](Self::exit) of its parent with the reason `shutdown`.
    pub fn shutdown(&mut self) {
        self.exit(&parent(), atom!("shutdown"));
    }

    /// Ends it through `terminate`: `gen_server:stop/3`.
    pub fn stop(&mut self, reason: impl ToTerm) {
        if self.process.ended.is_none() {
            self.process.end(Exit::new(reason));
        }
    }

    /// Lets this much time go by. Timers and timeouts that are due meanwhile come in their order, each at its time.
    pub fn advance(&mut self, time: Duration) {
        let end = self.now().saturating_add(time);
        self.process.advance(end, |_| false);
    }

    /// The server's time: how much of it has gone by since it was started.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.process.world.timers.now()
    }

    /// What it has sent since this was last called, in order. Replies to the test's own calls are not among it, but
    /// messages to itself are.
    #[must_use = "the messages are not shown again"]
    pub fn sent(&mut self) -> Sent {
        std::mem::take(&mut self.process.world.sent)
    }

    /// Its state. When it has ended, as it was then.
    #[must_use]
    pub fn state(&self) -> &T {
        let state = self.process.state();
        state.unwrap_or_else(|| unreachable!("`init` has made it"))
    }

    /// Its state, to change it: `sys:replace_state/2`.
    pub fn state_mut(&mut self) -> &mut T {
        let state = self.process.state_mut();
        state.unwrap_or_else(|| unreachable!("`init` has made it"))
    }

    /// How it has ended. `None`: it has not. `exit: Reason` after a `stop`, an exit or a signal; `error: Reason` after a
    /// panic (`{panic, …}`) or another error, whose stacktrace is left out.
    #[must_use]
    pub fn ended(&self) -> Option<&Exit> {
        self.process.ended.as_ref()
    }

    /// Its pid.
    #[must_use]
    pub fn pid(&self) -> Pid {
        self.process.world.pid.clone()
    }

    /// The pid of the process that has started it. It is also the one that calls it.
    #[must_use]
    pub fn parent(&self) -> Pid {
        parent()
    }

    /// A reference to it, for messages and arguments.
    #[must_use]
    pub fn reference(&self) -> gen_server::Server<T> {
        self.pid().into()
    }

    /// Sends a request. Returns its caller, and whether the server was there.
    fn request(&mut self, request: &Term) -> (Term, bool) {
        let tag = self.process.world.reference();
        let client = Term::of(&(parent(), tag));
        let is_served = self.process.ended.is_none();
        match is_served {
            true => self.send((atom!("$gen_call"), client.clone(), request)),
            false => {
                let noproc = Err(Exit::new(atom!("noproc")));
                self.process.world.reply(&client, noproc);
            }
        }
        (client, is_served)
    }

    /// What has become of a request.
    fn outcome(&self, client: &Term, request: &Term) -> Option<Result<Term>> {
        let reason = |exit: &Exit| Exit::new(called(reason_of_end(exit), self.pid(), request));
        let mut replies = self.process.world.replies.iter();
        match replies.find(|(to, _)| to == client) {
            Some((_, reply)) => Some(reply.clone().map_err(|exit| reason(&exit))),
            None => self.ended().map(|exit| Err(reason(exit))),
        }
    }
}

/// `{Reason, {gen_server, call, [Server, Request]}}`
fn called(reason: Term, server: Pid, request: &Term) -> impl ToTerm {
    let arguments = vec![Term::of(&server), request.clone()];
    (reason, (protocol::gen_server, atom!("call"), arguments))
}

fn timeout_reason() -> Term {
    Term::of(&crate::atoms::timeout)
}

fn next_pid() -> Pid {
    pid(100 + SERVERS.get())
}

impl<T> Drop for Server<T> {
    fn drop(&mut self) {
        SERVERS.set(SERVERS.get().saturating_sub(1));
    }
}

impl<T> fmt::Debug for Server<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ended = self.process.ended.as_ref();
        f.debug_struct("Server")
            .field("pid", &self.process.world.pid)
            .field("ended", &ended)
            .finish_non_exhaustive()
    }
}
