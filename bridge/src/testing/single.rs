//! A single process in a simulated node. The test drives it, and plays everything outside of it.

use std::any::Any;
use std::time::Duration;

use super::NEVER_WOKEN;
use super::node::{
    FirstProcess, NodeCore, Outside, PerformRequest, SimulatedNode, pid, reason_of_end,
};
use super::sent::Sent;
use crate::runtime::{ModuleEntry, Result, leaving_callers_alone, protocol};
use crate::{Exit, Pid, Reference, Term, atom};

/// The time limit of `gen_server:call/2`.
const CALL_TIMEOUT: Duration = Duration::from_secs(5);

/// A process that a test drives. It runs only in calls of the test.
pub(super) struct TestedProcess {
    node: SimulatedNode,
    process: usize,
    /// The state of the process. It is here while the process does not run.
    state: Option<Box<dyn Any + Send>>,
}

/// Returns the process that has started the tested one, and calls it.
pub(super) fn parent() -> Pid {
    pid(99)
}

impl Drop for TestedProcess {
    /// The callers in its state need no report: they see that it has ended.
    fn drop(&mut self) {
        leaving_callers_alone(|| self.state = None);
    }
}

impl TestedProcess {
    /// Starts the process. `number` is the number in its pid.
    ///
    /// # Errors
    /// The reason why it has not started: that of `{stop, Reason}` from `init`, or an exception;
    /// `ignore`; or the reason why the enter call ends it.
    pub(super) fn start(
        module: &'static ModuleEntry,
        argument: Term,
        (number, answer): (u32, PerformRequest),
    ) -> Result<Self> {
        let outside = Outside::new(parent(), answer);
        let mut node = SimulatedNode::new(number, Some(outside));
        let process = node.add(FirstProcess { module, argument });
        let mut tested = TestedProcess {
            node,
            process,
            state: None,
        };
        tested.run();
        let started = tested.outside(|outside| outside.started.take());
        started.unwrap_or_else(|| unreachable!("it waits for a message"))?;
        Ok(tested)
    }

    fn outside<T>(&self, body: impl FnOnce(&mut Outside) -> T) -> T {
        let body = |outside: &mut Option<Outside>| outside.as_mut().map(body);
        let value = self.node.with(|core| body(&mut core.outside));
        value.unwrap_or_else(|| unreachable!("the node was made with it"))
    }

    pub(super) fn answer(&mut self, answer: PerformRequest) {
        self.outside(|outside| outside.answer = Some(answer));
    }

    pub(super) fn sent(&mut self) -> Sent {
        self.outside(|outside| std::mem::take(&mut outside.sent))
    }

    pub(super) fn state<T: 'static>(&self) -> &T {
        let state = self.state.as_ref().and_then(|it| it.downcast_ref());
        state.unwrap_or_else(|| unreachable!("`init` has made it"))
    }

    /// Returns its state, to change it.
    pub(super) fn state_mut<T: 'static>(&mut self) -> &mut T {
        let state = self.state.as_mut().and_then(|it| it.downcast_mut());
        state.unwrap_or_else(|| unreachable!("`init` has made it"))
    }

    /// Returns the current state of a `gen_statem`.
    pub(super) fn chosen(&self) -> Term {
        let chosen = self.node.chosen(self.process);
        chosen.unwrap_or_else(|| unreachable!("a machine has one"))
    }

    pub(super) fn pid(&self) -> Pid {
        self.node.pid_of(self.process)
    }

    pub(super) fn ended(&self) -> Option<&Exit> {
        self.node.ended(self.process)
    }

    pub(super) fn now(&self) -> Duration {
        self.node.with(|core| core.timers.now())
    }

    /// Lets the process handle messages until there are none. If one of its callbacks waits, the
    /// time passes.
    ///
    /// # Panics
    /// If a callback awaits a future that can never be woken.
    fn run(&mut self) {
        self.run_after(|_| false);
    }

    /// Like `run`, after a first step of the node.
    fn run_after(&mut self, first: impl FnOnce(&mut SimulatedNode) -> bool) {
        self.node.put_state(self.process, self.state.take());
        first(&mut self.node);
        loop {
            while self.node.deliver_oldest() {}
            let now = self.now();
            let is_due = |due: Duration| due <= now;
            if self.ended().is_some() {
                break;
            }
            if self.node.next_timer().is_some_and(is_due) {
                self.node.fire();
            } else if self.node.is_idle(self.process) {
                break;
            } else if self.node.waits_for_threads(self.process) {
                // Work of other threads takes no time of the node. If its time passed, an interval
                // would fill the mailbox faster than the threads work.
                self.node.block(self.process);
            } else if !self.node.fire() {
                let runs = self.node.block(self.process);
                assert!(runs, "{NEVER_WOKEN}");
            }
        }
        self.state = self.node.take_state(self.process);
    }

    /// Delivers a message, and handles everything that follows from it.
    pub(super) fn deliver(&mut self, message: Term) {
        if self.ended().is_none() {
            self.node.send(self.process, message);
            self.run();
        }
    }

    /// Advances the time to `end`, or until `is_enough`.
    pub(super) fn advance(&mut self, end: Duration, is_enough: impl Fn(&Self) -> bool) {
        while !is_enough(self) && self.ended().is_none() {
            let next = self.node.next_timer();
            if next.is_none_or(|next| next > end) {
                return self.node.set_now(end);
            }
            self.run_after(SimulatedNode::fire);
        }
    }

    /// Delivers an exit signal.
    pub(super) fn exit(&mut self, from: &Pid, reason: Term) {
        if self.ended().is_none() {
            self.node.exit(self.process, from, reason);
            self.run();
        }
    }

    /// Ends the process through `terminate`.
    pub(super) fn stop(&mut self, reason: Term) {
        let client = (parent(), self.node.with(NodeCore::reference));
        let order = (atom!("system"), client, (atom!("stop"), reason));
        self.deliver(Term::of(&order));
    }

    /// Sends a request and waits for the reply.
    ///
    /// # Errors
    /// The exit of `gen_server:call/2`.
    pub(super) fn call(&mut self, request: &Term) -> Result<Term> {
        let (client, is_served) = self.request(request);
        if is_served {
            let end = self.now().saturating_add(CALL_TIMEOUT);
            self.advance(end, |tested| tested.is_replied(&client));
        }
        let timeout = Term::of(&crate::atoms::timeout);
        let replied = self.outcome(&client, request);
        replied.unwrap_or_else(|| Err(self.called(timeout, request)))
    }

    /// Sends a request. Returns its caller, and whether the process was alive.
    pub(super) fn request(&mut self, request: &Term) -> (Term, bool) {
        let reference = self.node.with(NodeCore::reference);
        let client = Term::of(&(parent(), reference));
        let is_served = self.ended().is_none();
        if is_served {
            self.deliver(Term::of(&(atom!("$gen_call"), client.clone(), request)))
        } else {
            let noproc = Err(Exit::new(atom!("noproc")));
            self.outside(|outside| outside.replies.push((client.clone(), noproc)));
        }
        (client, is_served)
    }

    fn is_replied(&self, client: &Term) -> bool {
        self.outside(|outside| outside.replies.iter().any(|(to, _)| to == client))
    }

    /// Returns the outcome of a request, if there is one.
    pub(super) fn outcome(&self, client: &Term, request: &Term) -> Option<Result<Term>> {
        let reason = |exit: &Exit| self.called(reason_of_end(exit), request);
        let reply = self.outside(|outside| {
            let mut replies = outside.replies.iter();
            replies.find(|(to, _)| to == client).cloned()
        });
        match reply {
            Some((_, reply)) => Some(reply.map_err(|exit| reason(&exit))),
            None => self.ended().map(|exit| Err(reason(exit))),
        }
    }

    /// `{Reason, {gen_server, call, [Server, Request]}}`
    fn called(&self, reason: Term, request: &Term) -> Exit {
        let arguments = vec![Term::of(&self.pid()), request.clone()];
        Exit::new((reason, (protocol::gen_server, atom!("call"), arguments)))
    }

    /// Delivers the message of a monitor whose process has ended. Returns whether the monitor
    /// exists.
    pub(super) fn down(&mut self, monitor: &Reference, reason: Term) -> bool {
        let is_there = self.node.down(self.process, monitor, reason);
        self.run();
        is_there
    }
}
