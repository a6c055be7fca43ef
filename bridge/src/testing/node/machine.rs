//! The loop of `gen_statem`: events, their queue, postponed events, and timeouts.

mod change;
mod timeouts;

use std::collections::VecDeque;

use super::callbacks::CallbackProcess;
use super::own::{NextMessage, OwnProcess};
use super::slot::reason_of_end;
use super::{elements, is, state};
use crate::atoms::{call, cast, info, internal};
use crate::runtime::{CallbackKind, ModuleEntry, Result};
use crate::{Class, Exit, Term, atom};
use change::{Actions, Change};
use timeouts::{MachineEvent, Timeouts};

/// A process whose events are handled as by `gen_statem`.
struct RunningMachine {
    process: CallbackProcess,
    /// The current state of the machine. Its data is the state of the process.
    state: Term,
    mode: Mode,
    queue: VecDeque<MachineEvent>,
    /// In the order in which they were postponed.
    postponed: Vec<MachineEvent>,
    timeouts: Timeouts,
    begins: Option<Beginning>,
}

/// The event with which the generated module calls `handle_start`.
struct Beginning {
    event: MachineEvent,
    argument: Term,
}

/// `callback_mode/0`
#[derive(Debug, Clone, Copy)]
struct Mode {
    has_state_functions: bool,
    has_state_enter: bool,
}

/// Runs a machine to its end.
pub(super) async fn run(own: OwnProcess, module: &'static ModuleEntry, argument: Term) -> Exit {
    let mut machine = match RunningMachine::start(own, module, argument).await {
        Ok(machine) => machine,
        Err(exit) => return exit,
    };
    let begins = machine.begins.iter().map(|it| it.event.clone());
    begins.for_each(|event| machine.queue.push_front(event));
    loop {
        let event = machine.next().await;
        let handled = match event {
            Ok(event) => machine.handle(event).await,
            Err(exit) => Err(exit),
        };
        if let Err(exit) = handled {
            return machine.end(exit).await;
        }
    }
}

impl RunningMachine {
    /// Starts the machine: `init/1`, and the enter call of its first state.
    ///
    /// # Errors
    /// The end of the process, if it has not started.
    async fn start(own: OwnProcess, module: &'static ModuleEntry, argument: Term) -> Result<Self> {
        let process = CallbackProcess::new(own, module);
        let begins = process.has(CallbackKind::Start).then(|| Beginning {
            event: MachineEvent::of_start(&argument),
            argument: argument.clone(),
        });
        let returned = process.init(argument).await?;
        let (first, actions) = match elements(&returned) {
            [tag, first, _] if is(tag, "ok") => (first.clone(), None),
            [tag, first, _, actions] if is(tag, "ok") => (first.clone(), Some(actions.clone())),
            _ => return Err(process.own.refuse_start(&returned)),
        };
        let answer = process.mode();
        let mut machine = RunningMachine {
            process,
            state: first.clone(),
            mode: Mode {
                has_state_functions: answer.contains(&"state_functions"),
                has_state_enter: answer.contains(&"state_enter"),
            },
            queue: VecDeque::new(),
            postponed: Vec::new(),
            timeouts: Timeouts::default(),
            begins,
        };
        let entered = machine
            .proceed(None, &Change::beginning(first, actions))
            .await;
        if let Err(exit) = entered {
            let exit = machine.end(exit).await;
            machine
                .process
                .own
                .not_started(exit.clone(), reason_of_end(&exit));
            return Err(exit);
        }
        machine.process.own.started();
        Ok(machine)
    }

    /// Returns the next event: queued events first, then timeouts of time 0, then messages.
    ///
    /// # Errors
    /// The end that a message orders.
    async fn next(&mut self) -> Result<MachineEvent> {
        if let Some(event) = self.queue.pop_front() {
            return Ok(event);
        }
        if let Some(event) = self.timeouts.take_zero() {
            return Ok(event);
        }
        let own = &self.process.own;
        loop {
            let NextMessage::Message(message) = own.receive(None).await else {
                continue;
            };
            if let Some(exit) = own.ordered_end(&message) {
                return Err(exit);
            }
            let timeout = self.timeouts.take_due(&message);
            return Ok(timeout.unwrap_or_else(|| MachineEvent::of_message(message)));
        }
    }

    /// Handles an event.
    ///
    /// # Errors
    /// The machine ends.
    async fn handle(&mut self, event: MachineEvent) -> Result<()> {
        // Any event cancels the event timeout.
        self.timeouts.cancel_event_timeout(&self.process.own);
        let returned = self.state_call(event.kind.clone(), event.content.clone());
        let returned = returned.await?;
        match Change::of(&returned, &self.state) {
            Some(change) => self.proceed(Some(event), &change).await,
            None => Err(bad_return(returned)),
        }
    }

    /// Calls the function of the state, or of all states.
    async fn state_call(&mut self, kind: Term, content: Term) -> Result<Term> {
        let current = self.state.clone();
        let begins = self.begins.as_ref();
        let begins = begins.filter(|it| it.event.kind == kind && it.event.content == content);
        let returned = match &current {
            _ if let Some(beginning) = begins => {
                let arguments = vec![beginning.argument.clone(), current, state()];
                self.process.callback(CallbackKind::Start, arguments).await
            }
            Term::Atom(name) if self.mode.has_state_functions => {
                let arguments = vec![kind, content, state()];
                self.process.function(name.text(), arguments).await
            }
            _ => {
                let arguments = vec![kind, content, current, state()];
                self.process.callback(CallbackKind::Event, arguments).await
            }
        };
        // A thrown value counts as returned.
        returned.or_else(|exit| match exit.class() {
            Class::Throw => Ok(exit.into_reason()),
            Class::Error | Class::Exit => Err(exit),
        })
    }

    /// Performs the changes after a callback, in the order of `gen_statem`'s documentation. `event`
    /// is `None` after `init`.
    ///
    /// # Errors
    /// The machine ends.
    async fn proceed(&mut self, event: Option<MachineEvent>, change: &Change) -> Result<()> {
        let mut actions = Actions::default();
        self.check(change, &mut actions)?;
        let old = std::mem::replace(&mut self.state, change.next.clone());
        let is_changed = old != self.state;
        if self.mode.has_state_enter && (is_changed || change.repeats) {
            self.enter(&old, &mut actions).await?;
        }
        self.show_state();
        self.postponed.extend(event.filter(|_| actions.postpones));
        if is_changed {
            for event in self.postponed.drain(..).rev() {
                self.queue.push_front(event);
            }
            self.timeouts.cancel_state_timeout(&self.process.own);
        }
        for event in actions.next_events.into_iter().rev() {
            self.queue.push_front(event);
        }
        self.timeouts.start(actions.timeouts, &self.process.own);
        Ok(())
    }

    /// Reads the actions of a change. Replies are sent at once.
    ///
    /// # Errors
    /// The change stops the machine, after the replies of `{stop_and_reply, Reason, Replies}`, or
    /// has a bad action.
    fn check(&self, change: &Change, actions: &mut Actions) -> Result<()> {
        if !actions.read(change.actions.as_ref(), &self.process.own) {
            return Err(bad_action(change.actions.as_ref()));
        }
        match &change.stop {
            Some(reason) => Err(Exit::new(reason)),
            None => Ok(()),
        }
    }

    /// Performs the enter calls of a state.
    ///
    /// # Errors
    /// The machine ends.
    async fn enter(&mut self, old: &Term, actions: &mut Actions) -> Result<()> {
        loop {
            let entered = self.state_call(Term::of(&atom!("enter")), old.clone());
            let returned = match entered.await {
                Ok(returned) => returned,
                Err(exit) => {
                    // The state is entered only when that has succeeded.
                    self.state = old.clone();
                    return Err(exit);
                }
            };
            let change = Change::of(&returned, &self.state);
            let Some(change) = change.filter(|change| change.next == self.state) else {
                return Err(bad_return(returned));
            };
            self.check(&change, actions)?;
            if !change.repeats {
                return Ok(());
            }
        }
    }

    /// Shows the current state to the test.
    fn show_state(&self) {
        let state = self.state.clone();
        self.process.own.with(|slot| slot.chosen = Some(state));
    }

    async fn end(&self, exit: Exit) -> Exit {
        self.show_state();
        // `gen_statem` passes an error's reason to `terminate` without the stacktrace.
        let arguments = vec![exit.reason().clone(), self.state.clone(), state()];
        self.process.end(exit, arguments).await
    }
}

impl MachineEvent {
    /// `internal`, `{'$otp_rs', {start, Args}}`
    fn of_start(argument: &Term) -> Self {
        let start = (atom!("start"), argument);
        MachineEvent {
            kind: Term::of(&internal),
            content: Term::of(&(atom!("$otp_rs"), start)),
        }
    }

    fn of_message(message: Term) -> Self {
        match elements(&message) {
            [tag, client, request] if is(tag, "$gen_call") => MachineEvent {
                kind: Term::of(&(call, client)),
                content: request.clone(),
            },
            [tag, content] if is(tag, "$gen_cast") => MachineEvent {
                kind: Term::of(&cast),
                content: content.clone(),
            },
            _ => MachineEvent {
                kind: Term::of(&info),
                content: message,
            },
        }
    }
}

/// `{bad_return_from_state_function, Returned}`
fn bad_return(returned: Term) -> Exit {
    Exit::error((atom!("bad_return_from_state_function"), returned))
}

/// `{bad_action_from_state_function, Action}`
fn bad_action(actions: Option<&Term>) -> Exit {
    let actions = actions.cloned().unwrap_or(Term::nil());
    Exit::error((atom!("bad_action_from_state_function"), actions))
}
