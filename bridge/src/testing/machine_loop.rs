//! The loop of `gen_statem`: events, their queue, postponed events, and timeouts.

mod change;
mod timeouts;

use std::collections::VecDeque;
use std::time::Duration;

use super::looping::Loop;
use super::process::{Process, elements, is, state};
use super::world::World;
use crate::atoms::{call, cast, info, internal};
use crate::runtime::{CallbackKind, ModuleEntry, Result};
use crate::{Class, Exit, Term, atom};
use change::{Actions, Change};
use timeouts::{MachineEvent, Timeouts};

/// A process whose events are handled as by `gen_statem`.
pub(super) struct MachineLoop {
    process: Process,
    /// The current state of the machine. Its data is the state of the process.
    pub(super) state: Term,
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

impl MachineLoop {
    /// Starts the machine: `init/1`, and the enter call of its first state.
    ///
    /// # Errors
    /// The reason why it has not started: that of `{stop, Reason}` from `init`, or an exception;
    /// `ignore`; or the reason why the enter call ends it.
    pub(super) fn start(
        module: &'static ModuleEntry,
        argument: Term,
        world: World,
    ) -> Result<Self> {
        let mut process = Process::new(module, world);
        let begins = process.has(CallbackKind::Start).then(|| Beginning {
            event: MachineEvent::of_start(&argument),
            argument: argument.clone(),
        });
        let returned = process.callback(CallbackKind::Init, vec![argument])?;
        let (first, actions) = match elements(&returned).as_slice() {
            [tag, first, _] if is(tag, "ok") => (first.clone(), None),
            [tag, first, _, actions] if is(tag, "ok") => (first.clone(), Some(actions.clone())),
            [_, reason] => return Err(Exit::new(reason)),
            _ => return Err(Exit::new(returned)),
        };
        let answer = process.mode();
        let mut machine = MachineLoop {
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
        machine.proceed(None, &Change::beginning(first, actions));
        if let Some(exit) = machine.process.ended.take() {
            return Err(exit);
        }
        let begins = machine.begins.iter().map(|it| it.event.clone());
        begins.for_each(|event| machine.queue.push_front(event));
        machine.run();
        Ok(machine)
    }

    /// Returns the next event: queued events first, then timeouts of time 0, then messages.
    fn next(&mut self) -> Option<MachineEvent> {
        if let Some(event) = self.queue.pop_front() {
            return Some(event);
        }
        if let Some(event) = self.timeouts.take_zero() {
            return Some(event);
        }
        self.process.world.deliver_due();
        let message = self.process.world.mailbox.pop_front()?;
        let timeout = self.timeouts.take_due(&message);
        Some(timeout.unwrap_or_else(|| MachineEvent::of_message(message)))
    }

    fn handle(&mut self, event: MachineEvent) {
        // Any event cancels the event timeout.
        self.timeouts.cancel_event_timeout(&mut self.process.world);
        match self.state_call(event.kind.clone(), event.content.clone()) {
            Ok(returned) => match Change::of(&returned, &self.state) {
                Some(change) => self.proceed(Some(event), &change),
                None => self.end(bad_return(returned)),
            },
            Err(exit) => self.end(exit),
        }
    }

    /// Calls the function of the state, or of all states.
    fn state_call(&mut self, kind: Term, content: Term) -> Result<Term> {
        let current = self.state.clone();
        let begins = self.begins.as_ref();
        let begins = begins.filter(|it| it.event.kind == kind && it.event.content == content);
        let returned = match &current {
            _ if let Some(beginning) = begins => {
                let arguments = vec![beginning.argument.clone(), current, state()];
                self.process.callback(CallbackKind::Start, arguments)
            }
            Term::Atom(name) if self.mode.has_state_functions => {
                let arguments = vec![kind, content, state()];
                self.process.function(name.text(), arguments)
            }
            _ => {
                let arguments = vec![kind, content, current, state()];
                self.process.callback(CallbackKind::Event, arguments)
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
    fn proceed(&mut self, event: Option<MachineEvent>, change: &Change) {
        let mut actions = Actions::default();
        if let Some(stop) = &change.stop {
            return self.stop(stop.clone(), change.actions.as_ref());
        }
        if !actions.read(change.actions.as_ref(), &mut self.process.world) {
            return self.end(bad_action(change.actions.as_ref()));
        }
        let old = std::mem::replace(&mut self.state, change.next.clone());
        let is_changed = old != self.state;
        let enters = self.mode.has_state_enter && (is_changed || change.repeats);
        if enters && !self.enter(&old, &mut actions) {
            return;
        }
        self.postponed.extend(event.filter(|_| actions.postpones));
        if is_changed {
            for event in self.postponed.drain(..).rev() {
                self.queue.push_front(event);
            }
            self.timeouts.cancel_state_timeout(&mut self.process.world);
        }
        for event in actions.next_events.into_iter().rev() {
            self.queue.push_front(event);
        }
        self.timeouts
            .start(actions.timeouts, &mut self.process.world);
    }

    /// Performs the enter calls of a state. Returns whether the machine continues.
    fn enter(&mut self, old: &Term, actions: &mut Actions) -> bool {
        loop {
            let entered = self.state_call(Term::of(&atom!("enter")), old.clone());
            let returned = match entered {
                Ok(returned) => returned,
                Err(exit) => {
                    // The state is entered only when that has succeeded.
                    self.state = old.clone();
                    self.end(exit);
                    return false;
                }
            };
            let change = Change::of(&returned, &self.state);
            let Some(change) = change.filter(|change| change.next == self.state) else {
                self.end(bad_return(returned));
                return false;
            };
            if let Some(stop) = change.stop {
                self.stop(stop, change.actions.as_ref());
                return false;
            }
            if !actions.read(change.actions.as_ref(), &mut self.process.world) {
                self.end(bad_action(change.actions.as_ref()));
                return false;
            }
            if !change.repeats {
                return true;
            }
        }
    }

    /// Stops the machine: `{stop, Reason}`, or `{stop_and_reply, Reason, Replies}`, where the
    /// replies are sent first.
    fn stop(&mut self, reason: Term, replies: Option<&Term>) {
        let mut actions = Actions::default();
        if actions.read(replies, &mut self.process.world) {
            self.end(Exit::new(reason))
        } else {
            self.end(bad_action(replies))
        }
    }
}

impl Loop for MachineLoop {
    fn process(&self) -> &Process {
        &self.process
    }

    fn process_mut(&mut self) -> &mut Process {
        &mut self.process
    }

    fn run(&mut self) {
        while self.process.ended.is_none()
            && let Some(event) = self.next()
        {
            self.handle(event);
        }
    }

    fn end(&mut self, exit: Exit) {
        // `gen_statem` passes an error's reason to `terminate` without the stacktrace.
        let arguments = vec![exit.reason().clone(), self.state.clone(), state()];
        self.process.end(exit, arguments);
    }

    /// Returns `None`, because all its timeouts are timers.
    fn next_timeout(&self) -> Option<Duration> {
        None
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
        match elements(&message).as_slice() {
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
