//! The loop of `supervisor`.

mod children;
mod requests;

use std::time::Duration;

use super::callbacks::CallbackProcess;
use super::own::{NextMessage, OwnProcess};
use super::violation::ViolationKind;
use super::{elements, is};
use crate::behaviour::supervisor::{
    AutoShutdown, ChildSpec, Restart, Strategy, SupFlags, SupFlagsMap,
};
use crate::runtime::ModuleEntry;
use crate::{Exit, Pid, Term, atom};
use children::{ChildState, SupervisedChild};

/// A running supervisor.
pub(super) struct RunningSupervisor {
    own: OwnProcess,
    strategy: Strategy,
    intensity: u64,
    period: Duration,
    /// In the order of their start.
    children: Vec<SupervisedChild>,
    /// The child spec of all children, for `simple_one_for_one`.
    template: Option<SupervisedChild>,
    /// When children were restarted.
    restarts: Vec<Duration>,
    /// Whether the supervisor ends with its significant children.
    auto_shutdown: AutoShutdown,
}

/// The next step of a supervisor after a message.
enum AfterMessage {
    Continues,
    /// Its children have ended too often.
    GivesUp,
    /// Its significant children have ended.
    ShutsDown,
}

/// The reason with which a supervisor that has given up ends.
fn shutdown() -> Term {
    Term::of(&atom!("shutdown"))
}

/// Runs a supervisor to its end.
pub(super) async fn supervise(
    own: OwnProcess,
    module: &'static ModuleEntry,
    argument: Term,
) -> Exit {
    let process = CallbackProcess::new(own.clone(), module);
    own.with(|slot| (slot.traps_exits, slot.is_supervisor) = (true, true));
    let returned = match process.init(argument).await {
        Ok(returned) => returned,
        Err(exit) => return exit,
    };
    let Some(mut supervisor) = RunningSupervisor::of(&own, &returned) else {
        return own.refuse_start(&returned);
    };
    if let Err((id, reason)) = supervisor.start_all(0).await {
        supervisor.stop_all().await;
        let failed = (atom!("failed_to_start_child"), id, reason);
        let reason = Term::of(&(atom!("shutdown"), failed));
        own.not_started(Exit::new(reason.clone()), reason.clone());
        return Exit::new(reason);
    }
    own.started();
    loop {
        let NextMessage::Message(message) = own.receive(None).await else {
            continue;
        };
        if let Some(exit) = own.ordered_end(&message) {
            supervisor.stop_all().await;
            return exit;
        }
        match supervisor.handle(&message).await {
            AfterMessage::Continues => continue,
            AfterMessage::GivesUp => {
                let text = "its children have ended too often".to_owned();
                own.violate(ViolationKind::GivesUp, text);
            }
            AfterMessage::ShutsDown => {}
        }
        supervisor.stop_all().await;
        return Exit::new(shutdown());
    }
}

impl RunningSupervisor {
    /// Reads `{ok, {SupFlags, [ChildSpec]}}`.
    fn of(own: &OwnProcess, returned: &Term) -> Option<Self> {
        let [tag, specification] = elements(returned) else {
            return None;
        };
        let decoded = specification.decode::<(SupFlags, Vec<ChildSpec>)>();
        let (flags, specs) = decoded.ok().filter(|_| is(tag, "ok"))?;
        let flags = match flags {
            SupFlags::Map(map) => map,
            SupFlags::Triple {
                restart_strategy,
                intensity,
                period,
            } => SupFlagsMap {
                strategy: Some(restart_strategy),
                intensity: Some(intensity),
                period: Some(period),
                ..SupFlagsMap::default()
            },
        };
        let strategy = flags.strategy.unwrap_or(Strategy::OneForOne);
        let mut children: Vec<_> = specs.into_iter().map(SupervisedChild::new).collect();
        let is_simple = strategy == Strategy::SimpleOneForOne;
        Some(RunningSupervisor {
            own: own.clone(),
            strategy,
            intensity: flags.intensity.unwrap_or(1),
            period: Duration::from_secs(flags.period.map_or(5, Into::into)),
            template: is_simple.then(|| children.pop()).flatten(),
            children,
            restarts: Vec::new(),
            auto_shutdown: flags.auto_shutdown.unwrap_or(AutoShutdown::Never),
        })
    }

    async fn handle(&mut self, message: &Term) -> AfterMessage {
        match elements(message) {
            [tag, Term::Pid(pid), reason] if is(tag, "EXIT") => self.ended(pid, reason).await,
            [tag, client, request] if is(tag, "$gen_call") => {
                let reply = self.request(request).await;
                self.own.reply(client, Ok(reply));
                AfterMessage::Continues
            }
            [tag, order] if is(tag, "$gen_cast") => match elements(order) {
                [tag, id] if is(tag, "try_again_restart") => self.try_again(&id.clone()).await,
                _ => AfterMessage::Continues,
            },
            _ => AfterMessage::Continues,
        }
    }

    /// Handles the end of a child.
    async fn ended(&mut self, pid: &Pid, reason: &Term) -> AfterMessage {
        let mut children = self.children.iter();
        let Some(index) = children.position(|child| child.is_process(pid)) else {
            return AfterMessage::Continues;
        };
        let child = &mut self.children[index];
        child.state = ChildState::Terminated;
        let is_quiet = is(reason, "normal")
            || is(reason, "shutdown")
            || matches!(elements(reason), [tag, _] if is(tag, "shutdown"));
        let is_significant = child.is_significant();
        match child.restart() {
            Restart::Permanent => return self.restart(index).await,
            Restart::Transient if !is_quiet => return self.restart(index).await,
            Restart::Transient if self.template.is_none() => {}
            Restart::Transient | Restart::Temporary => drop(self.children.remove(index)),
        }
        let mut children = self.children.iter();
        let is_last = !children.any(|child| child.is_significant() && child.is_running());
        match self.auto_shutdown {
            AutoShutdown::AnySignificant if is_significant => AfterMessage::ShutsDown,
            AutoShutdown::AllSignificant if is_significant && is_last => AfterMessage::ShutsDown,
            _ => AfterMessage::Continues,
        }
    }

    /// Restarts a child, and the others that its strategy names.
    async fn restart(&mut self, index: usize) -> AfterMessage {
        let now = self.own.now();
        // As in OTP, times are compared in whole seconds.
        let seconds = now.as_secs();
        let period = self.period.as_secs();
        self.restarts.push(now);
        self.restarts
            .retain(|then| then.as_secs().saturating_add(period) >= seconds);
        if self.restarts.len() as u64 > self.intensity {
            return AfterMessage::GivesUp;
        }
        let first = match self.strategy {
            Strategy::OneForOne | Strategy::SimpleOneForOne => {
                self.children[index].state = ChildState::Restarting;
                if self.start_one(index).await.is_err() {
                    self.order_restart(index);
                }
                return AfterMessage::Continues;
            }
            Strategy::RestForOne => index,
            Strategy::OneForAll => 0,
        };
        for later in (first..self.children.len()).rev() {
            self.stop_one(later).await;
        }
        self.children[index].state = ChildState::Restarting;
        self.remove_temporary(first);
        if let Err((id, _)) = self.start_all(first).await {
            let mut children = self.children.iter();
            if let Some(failed) = children.position(|child| child.id() == &id) {
                self.children[failed].state = ChildState::Restarting;
                self.order_restart(failed);
            }
        }
        AfterMessage::Continues
    }

    /// Sends the supervisor the order to restart a child again that has not started.
    fn order_restart(&self, index: usize) {
        let key = self.children[index].key();
        let order = (atom!("$gen_cast"), (atom!("try_again_restart"), key));
        self.own.send(Term::of(&self.own.pid()), Term::of(&order));
    }

    async fn try_again(&mut self, key: &Term) -> AfterMessage {
        let mut children = self.children.iter();
        let is_it = |child: &SupervisedChild| {
            child.key() == *key && matches!(child.state, ChildState::Restarting)
        };
        match children.position(is_it) {
            Some(index) => self.restart(index).await,
            None => AfterMessage::Continues,
        }
    }

    /// OTP does not start temporary children again that it has stopped.
    fn remove_temporary(&mut self, first: usize) {
        let mut index = 0;
        self.children.retain(|child| {
            index += 1;
            let is_gone = matches!(child.state, ChildState::Terminated);
            let is_temporary = child.restart() == Restart::Temporary;
            index <= first || !(is_gone && is_temporary)
        });
    }
}
