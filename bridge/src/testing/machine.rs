//! A whole `gen_statem` in a test.

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use super::functions::{PendingCall, ProcessCount, functions, next_number};
use super::node::{PerformRequest, unanswered};
use super::sent::Sent;
use super::single::{TestedProcess, parent};
use crate::behaviour::gen_statem::{self, GenStatem};
use crate::process::Monitor;
use crate::runtime::{Accepts, Caller, LibraryModules, Module, Result, protocol};
use crate::{Exit, IsTerm, Pid, Request, Term, ToTerm, atom, atoms};

/// A `gen_statem` that a test drives without a VM. Its clauses are chosen as on the VM, by the
/// events that arrive. The work of OTP's own loop is done here: state enter calls, postponed
/// events, `next_event`, state timeouts, timeouts with a name, the event timeout, replies, the end.
///
/// ```
/// use std::time::Duration;
///
/// use otp_bridge::atoms::{ok, postpone, state_timeout};
/// use otp_bridge::gen_statem::prelude::*;
/// use otp_bridge::testing;
/// # use otp_bridge_novm as _;
///
/// /// `locked | open`
/// #[derive(Debug, Clone, PartialEq, Term)]
/// enum Door {
///     Locked,
///     Open,
/// }
///
/// #[derive(Debug)]
/// struct Lock {
///     entered: u64,
/// }
///
/// #[derive(Debug, Term)]
/// #[reply(u64)]
/// struct Enter;
///
/// #[derive(Debug, Term)]
/// struct Unlock;
///
/// #[gen_statem]
/// impl GenStatem for Lock {
///     type Args = ();
///     type State = Door;
///
///     fn init(_: ()) -> impl InitReturn<Door, Self> {
///         (ok, Door::Locked, Lock { entered: 0 })
///     }
///
///     fn handle_event(&mut self, _: cast, _: Unlock, _: Door) -> HandleEvent<Door> {
///         next_state_actions(Door::Open, (state_timeout, Duration::from_secs(10), "lock"))
///     }
///
///     // The caller waits while the door is locked.
///     fn handle_event(&mut self, (_, caller): (call, Caller<u64>), _: Enter, door: Door) -> HandleEvent<Door> {
///         if door == Door::Locked {
///             return keep_state_actions(postpone);
///         }
///         self.entered += 1;
///         keep_state_actions(reply(caller, self.entered))
///     }
///
///     fn handle_event(&mut self, _: state_timeout, _: Term, _: Door) -> HandleEvent<Door> {
///         next_state(Door::Locked)
///     }
/// }
///
/// let mut lock = testing::Machine::<Lock>::start(())?;
/// let waits = lock.send_request(Enter);
/// assert_eq!(lock.reply(&waits), None);
/// lock.cast(Unlock);
/// assert_eq!(lock.reply(&waits), Some(Ok(1)));
/// lock.advance(Duration::from_secs(9));
/// assert_eq!(lock.state(), Door::Open);
/// lock.advance(Duration::from_secs(1));
/// assert_eq!(lock.state(), Door::Locked);
/// assert_eq!(lock.data().entered, 1);
/// # Ok::<(), otp_bridge::Exit>(())
/// ```
///
/// As with [`Server`](super::Server), the machine runs only in calls of the test, the time is the
/// machine's own and starts with 0 (also for a timeout with `{abs, true}`), and
/// [`answer`](Self::answer) performs the requests that only a VM can perform.
pub struct Machine<T> {
    running: TestedProcess,
    module: PhantomData<fn() -> T>,
    _counted: ProcessCount,
}

functions!(Machine, GenStatem);

impl<T: GenStatem + Module> Machine<T> {
    /// Sends a request and waits up to five seconds of the machine's time for the reply:
    /// `gen_statem:call/3`.
    ///
    /// # Errors
    /// The exit of [`Cx::call`](crate::Cx::call): `{timeout, _}`, `{noproc, _}`, `{unanswered, _}`,
    /// or the machine's exit reason; a decode error if the reply does not have the request's reply
    /// type.
    pub fn call<R: Request>(&mut self, request: R) -> Result<R::Reply>
    where
        T: Accepts<((atoms::call, Caller<R::Reply>), R)>,
    {
        let reply = self.call_term(Term::of(&request))?;
        Ok(R::Reply::read_term(&reply)?)
    }

    /// Sends a request and does not wait: `gen_statem:send_request/2`. [`reply`](Self::reply)
    /// returns the outcome.
    pub fn send_request<R: Request>(&mut self, request: R) -> PendingCall<R>
    where
        T: Accepts<((atoms::call, Caller<R::Reply>), R)>,
    {
        self.pending(Term::of(&request))
    }

    /// Casts an event: `gen_statem:cast/2`. If the machine has ended, the event is lost.
    pub fn cast<M: ToTerm>(&mut self, message: M)
    where
        T: Accepts<(atoms::cast, M)>,
    {
        self.send((protocol::gen_cast, message));
    }

    /// Sends a message that the machine has a clause for: `Machine ! Message`.
    pub fn info<M: ToTerm>(&mut self, message: M)
    where
        T: Accepts<(atoms::info, M)>,
    {
        self.send(message);
    }

    /// Returns the current state, or the last one if the machine has ended.
    ///
    /// # Panics
    /// If the term that the callbacks pass to each other is not a `State`. They would fail, too.
    #[must_use]
    pub fn state(&self) -> T::State {
        let state = T::State::read_term(&self.running.chosen());
        state.unwrap_or_else(|error| panic!("the state: {error}"))
    }

    /// Returns the machine's data, or the last data if the machine has ended.
    #[must_use]
    pub fn data(&self) -> &T {
        self.running.state()
    }

    /// Returns the machine's data, to change them.
    pub fn data_mut(&mut self) -> &mut T {
        self.running.state_mut()
    }

    /// Returns a reference to the machine, for messages and arguments.
    #[must_use]
    pub fn reference(&self) -> gen_statem::Machine<T> {
        self.pid().into()
    }
}
