//! Signals between processes: monitors, links, exit signals and aliases.

use otp_contract::library::Request;

use super::CallbackContext;
use super::at_once::{AtOnce, at_once};
use super::functions::{AnyResult, Anything, Function};
use super::{Destination, Receive, Target};
use crate::messages::Down;
use crate::runtime::protocol::{flush, info, shape};
use crate::runtime::{Await, Cx, Failure, Ongoing, Operation};
use crate::term::Reader;
use crate::{Atom, FromTerm, Heap, Pid, Reference, Term, ToTerm, View};

/// A monitor of a process: `erlang:monitor/2`. It sends a [`Down`] when the process has ended.
///
/// ```
/// use otp_bridge::atoms::ok;
/// use otp_bridge::gen_server::prelude::*;
/// use otp_bridge::messages::Down;
/// use otp_bridge::process::Monitor;
/// use otp_bridge::Pid;
/// # use otp_bridge_novm as _;
///
/// /// Keeps the guests that are present.
/// #[derive(Debug)]
/// pub struct Guests(Vec<(Pid, Monitor)>);
///
/// /// `{enter, Guest}`
/// #[derive(Debug, Term)]
/// pub struct Enter(Pid);
///
/// #[gen_server]
/// impl GenServer for Guests {
///     type Args = ();
///
///     fn init(_: ()) -> impl InitReturn<Self> {
///         (ok, Guests(Vec::new()))
///     }
///
///     async fn handle_cast(&mut self, Enter(guest): Enter, cx: &Cx<'_>) -> Result<HandleCast> {
///         let monitor = cx.monitor(&guest).await?;
///         self.0.push((guest, monitor));
///         noreply()
///     }
///
///     fn handle_info(&mut self, down: Down) -> HandleInfo {
///         self.0.retain(|(_, monitor)| !monitor.is(&down));
///         noreply()
///     }
/// }
/// ```
///
/// Dropping the value does not remove the monitor: call [`Cx::demonitor`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Term)]
#[term(transparent)]
pub struct Monitor(Reference);

impl Monitor {
    /// Returns whether this monitor sent the message.
    pub fn is<Reason>(&self, down: &Down<Reason>) -> bool {
        self.0 == down.monitor
    }

    /// Returns the monitor's reference in Erlang.
    #[must_use]
    pub fn reference(&self) -> &Reference {
        &self.0
    }

    /// Waits for the message of this monitor, as
    /// `receive {'DOWN', Monitor, _, _, _} = Down -> Down end` does. All other messages stay in the
    /// mailbox. A reason of a known type is read by `down.reason.decode()`.
    ///
    /// # Errors
    /// None of its own.
    #[track_caller]
    pub fn down<'a>(&self, cx: &'a Cx<'a>) -> Await<'a, Down, Receive<Down>> {
        Await::new(cx, Receive::with(&self.0))
    }
}

impl PartialEq<Reference> for Monitor {
    fn eq(&self, reference: &Reference) -> bool {
        self.0 == *reference
    }
}

/// An alias of a process, an address for messages until it is deactivated: `erlang:alias/0`. In
/// messages it is a `reference()`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Term)]
#[term(transparent)]
pub struct Alias(Reference);

#[diagnostic::do_not_recommend]
impl Destination for Alias {
    type Process = super::Anybody;

    fn target(&self) -> Target<'_> {
        Target::Alias(&self.0)
    }
}

/// Methods of [`Cx`] for the relations between Erlang processes: links, monitors, exit signals and
/// aliases.
pub trait Signals: CallbackContext {
    /// Monitors a process by its pid or by any of its names: `erlang:monitor/2`. When the process
    /// has ended, this process gets a [`Down`]. Write a clause for it, or [receive](Cx::receive)
    /// it. If there is no such process, the [`Down`] arrives at once, with the reason `noproc`. If
    /// you monitor a process by its registered name, the [`Down`] has this name: `{Name, Node}`.
    /// Names of `global` and of other modules are looked up, and the processes monitored by their
    /// pids.
    ///
    /// # Errors
    /// The exception of looking up a name of `{via, Module, Name}`.
    #[track_caller]
    fn monitor<'a>(
        &'a self,
        process: &'a (impl Destination + ?Sized),
    ) -> Await<'a, Monitor, MonitorProcess<'a>> {
        Await::new(self.cx(), MonitorProcess(process.target()))
    }

    /// Removes a monitor and its message from the mailbox:
    /// `erlang:demonitor(Monitor, [flush, info])`. If you await it, it returns whether the monitor
    /// was still active, without a message sent.
    ///
    /// # Errors
    /// None of its own.
    #[track_caller]
    fn demonitor(&self, monitor: &Monitor) -> Ongoing<'_, bool, Demonitor> {
        static DEMONITOR: Function = Function::new("erlang", "demonitor");
        let options = vec![flush.into(), info.into()];
        at_once(self.cx(), &DEMONITOR, (monitor.clone(), options))
    }

    /// Links this process to another one: `erlang:link/1`. When one of them ends, the other one
    /// ends with the same reason, or gets an [`ExitSignal`](crate::messages::ExitSignal) if it
    /// [traps exits](Cx::trap_exit).
    ///
    /// # Errors
    /// `noproc`, if you await it and there is no such process.
    #[track_caller]
    fn link(&self, pid: &Pid) -> Ongoing<'_, (), AtOnce<(Pid,), Anything>> {
        static LINK: Function = Function::new("erlang", "link");
        at_once(self.cx(), &LINK, (pid.clone(),))
    }

    /// Removes the link to another process: `erlang:unlink/1`. An `ExitSignal` from it may be in
    /// the mailbox already.
    ///
    /// # Errors
    /// None of its own.
    #[track_caller]
    fn unlink(&self, pid: &Pid) -> Ongoing<'_, (), AtOnce<(Pid,), Anything>> {
        static UNLINK: Function = Function::new("erlang", "unlink");
        at_once(self.cx(), &UNLINK, (pid.clone(),))
    }

    /// Sends an exit signal to a process: `exit(Pid, Reason)`. With the reason `kill` the process
    /// always ends. With another reason it ends, or gets an
    /// [`ExitSignal`](crate::messages::ExitSignal) if it traps exits.
    ///
    /// # Errors
    /// None of its own.
    #[track_caller]
    fn exit<R: ToTerm>(&self, pid: &Pid, reason: R) -> Ongoing<'_, (), AtOnce<(Pid, R), Anything>> {
        static EXIT: Function = Function::new("erlang", "exit");
        at_once(self.cx(), &EXIT, (pid.clone(), reason))
    }

    /// Creates an alias of this process: `erlang:alias/0`. Messages to it are dropped once it is
    /// deactivated, by [`Cx::unalias`] or by the end of the process. So a late answer never
    /// arrives.
    ///
    /// # Errors
    /// None of its own.
    #[track_caller]
    fn alias(&self) -> Ongoing<'_, Alias, AtOnce<(), AnyResult<Alias>>> {
        static ALIAS: Function = Function::new("erlang", "alias");
        at_once(self.cx(), &ALIAS, ())
    }

    /// Deactivates an alias: `erlang:unalias/1`. Returns whether it was an active alias of this
    /// process.
    ///
    /// # Errors
    /// None of its own.
    #[track_caller]
    fn unalias(&self, alias: &Alias) -> Ongoing<'_, bool, AtOnce<(Alias,), AnyResult<bool>>> {
        static UNALIAS: Function = Function::new("erlang", "unalias");
        at_once(self.cx(), &UNALIAS, (alias.clone(),))
    }
}

impl Signals for Cx<'_> {}

/// `erlang:demonitor/2`
type Demonitor = AtOnce<(Monitor, Vec<Atom>), AnyResult<bool>>;
/// `erlang:monitor(process, Process)`
#[derive(Debug)]
pub struct MonitorProcess<'a>(Target<'a>);

impl Operation for MonitorProcess<'_> {
    type Output = Monitor;

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        shape!(heap, Request::Monitor, self.0.to_term(heap))
    }

    fn answer<'a, V: View<'a>>(value: V, _: Reader<'_>) -> Result<Monitor, Failure> {
        Ok(Monitor::from_term(value)?)
    }
}
