//! A process of a simulated node, as the code that runs it sees it.

use std::any::Any;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;
use std::time::Duration;

use super::core::{NodeCore, SharedCore};
use super::signals::{AwaitedMessages, Signal, alias_tag, tag_reference};
use super::slot::SimulatedProcess;
use super::timers::{NewTimer, TimerEffect};
use crate::runtime::Result;
use crate::{Atom, Exit, Pid, Reference, Term, atom};

/// A process, with its node.
#[derive(Clone)]
pub(in crate::testing) struct OwnProcess {
    pub(super) core: SharedCore,
    pub(super) index: usize,
}

/// The end of a wait for a message.
pub(super) enum NextMessage {
    Message(Term),
    /// The timer has fired before.
    Timeout,
}

impl OwnProcess {
    pub(super) fn new(core: &SharedCore, index: usize) -> Self {
        OwnProcess {
            core: Rc::clone(core),
            index,
        }
    }

    pub(super) fn with_core<T>(&self, body: impl FnOnce(&mut NodeCore) -> T) -> T {
        body(&mut self.core.borrow_mut())
    }

    pub(super) fn with<T>(&self, body: impl FnOnce(&mut SimulatedProcess) -> T) -> T {
        body(&mut self.core.borrow_mut().processes[self.index])
    }

    pub(super) fn pid(&self) -> Pid {
        self.with_core(|core| core.pid_of(self.index))
    }

    pub(super) fn now(&self) -> Duration {
        self.with_core(|core| core.timers.now())
    }

    pub(super) fn reference(&self) -> Reference {
        self.with_core(NodeCore::reference)
    }

    /// Starts a process that is linked to this one: `Module:start_link(Arguments...)`. Returns the
    /// reference of the answer. `None` if the program has no such module.
    pub(super) fn start_linked(&self, module: &Atom, arguments: &[Term]) -> Option<Reference> {
        let start = self.with_core(|core| core.start);
        start(&self.core, self.index, module, arguments)
    }

    /// Takes the next message from the mailbox, or waits until one arrives or the timer fires.
    pub(super) async fn receive(&self, timer: Option<&Reference>) -> NextMessage {
        let next = poll_fn(|_| {
            self.with(|slot| {
                if let Some(message) = slot.mailbox.pop_front() {
                    return Poll::Ready(NextMessage::Message(message));
                }
                if timer.is_some_and(|timer| slot.fired.contains(timer)) {
                    return Poll::Ready(NextMessage::Timeout);
                }
                slot.awaited = AwaitedMessages::Any;
                slot.is_idle = true;
                Poll::Pending
            })
        });
        let next = next.await;
        self.with(|slot| slot.is_idle = false);
        if let Some(timer) = timer {
            self.cancel_wake(timer);
        }
        next
    }

    /// Starts a timer that ends a wait of this process.
    pub(super) fn start_wake(&self, time: Duration) -> Reference {
        let reference = self.reference();
        self.start_timer(reference.clone(), time, TimerEffect::Wake(self.index));
        reference
    }

    pub(super) fn cancel_wake(&self, timer: &Reference) {
        self.with_core(|core| {
            let _left = core.timers.cancel(timer);
            core.processes[self.index].fired.retain(|it| it != timer);
        });
    }

    /// Returns whether a timer of `start_wake` has fired.
    pub(super) fn has_fired(&self, timer: &Reference) -> bool {
        self.with(|slot| slot.fired.contains(timer))
    }

    pub(super) fn start_timer(&self, reference: Reference, time: Duration, effect: TimerEffect) {
        let repeats = false;
        self.with_core(|core| {
            core.timers.start(NewTimer {
                reference,
                time,
                effect,
                repeats,
            });
        });
    }

    /// Cancels a timer, and removes its message. Returns the remaining time.
    pub(super) fn cancel_timer(&self, timer: &Reference) -> Option<Duration> {
        let left = self.with_core(|core| core.timers.cancel(timer));
        if left.is_none() {
            self.with(|slot| slot.forget(|message| is_from(message, "timeout", timer)));
        }
        left
    }

    /// Sends a message. A message to a process outside of the node is recorded.
    pub(super) fn send(&self, to: Term, message: Term) {
        self.with_core(|core| {
            if let Some(index) = core.find(&to) {
                core.send(Some(self.index), index, Signal::Message(message.clone()));
            }
            if let Some(outside) = &mut core.outside {
                outside.sent.0.push((to, message));
            }
        });
    }

    /// Replies to a caller: to the test, or to another process.
    pub(super) fn reply(&self, client: &Term, reply: Result<Term>) {
        let Term::Tuple(parts) = client else { return };
        let [pid, tag] = &**parts else { return };
        let is_test = self.with_core(|core| {
            let outside = core.outside.as_mut();
            outside.is_some_and(|outside| {
                let is_test = Term::of(&outside.pid) == *pid || reply.is_err();
                if is_test {
                    outside.replies.push((client.clone(), reply.clone()));
                }
                is_test
            })
        });
        match reply {
            _ if is_test => {}
            Ok(reply) => self.send(pid.clone(), Term::of(&(tag, reply))),
            // The call ends without a reply.
            Err(exit) => self.with_core(|core| {
                if let (Some(to), Some(monitor)) = (core.find(pid), tag_reference(tag)) {
                    let down = Signal::Down {
                        monitor: monitor.clone(),
                        object: Term::of(&core.pid_of(self.index)),
                        reason: exit.reason().clone(),
                    };
                    core.send(Some(self.index), to, down);
                }
            }),
        }
    }

    /// Sends a request and does not wait: `gen_server:send_request/2`.
    pub(super) fn send_request(&self, server: &Term, request: &Term) -> Reference {
        match self.request(server, request) {
            Ok(monitor) => monitor,
            Err(_) => self.monitor(server),
        }
    }

    /// Sends a request as `gen_server:call/3` does. Returns the reference of the reply, which is
    /// also a monitor.
    ///
    /// # Errors
    /// `noproc`, or `calling_self`.
    pub(super) fn request(&self, server: &Term, request: &Term) -> Result<Reference> {
        let monitor = self.with_core(|core| match core.find(server) {
            None => Err(Exit::new(atom!("noproc"))),
            Some(index) if index == self.index => Err(Exit::new(atom!("calling_self"))),
            Some(index) => {
                let monitor = core.reference();
                core.monitor(self.index, index, (monitor.clone(), server.clone()));
                core.processes[self.index].aliases.push(monitor.clone());
                let tag = alias_tag(&monitor);
                let client = (core.pid_of(self.index), tag);
                let message = Term::of(&(atom!("$gen_call"), client, request));
                core.send(Some(self.index), index, Signal::Message(message));
                Ok(monitor)
            }
        })?;
        Ok(monitor)
    }

    /// Monitors a process: `erlang:monitor/2`.
    pub(super) fn monitor(&self, server: &Term) -> Reference {
        self.with_core(|core| {
            let monitor = core.reference();
            match core.find(server) {
                Some(index) => core.monitor(self.index, index, (monitor.clone(), server.clone())),
                None => {
                    let slot = &mut core.processes[self.index];
                    slot.monitors.push((monitor.clone(), server.clone()));
                    if core.outside.is_none() {
                        let down = Signal::Down {
                            monitor: monitor.clone(),
                            object: object_of(server),
                            reason: Term::of(&atom!("noproc")),
                        };
                        core.send(Some(self.index), self.index, down);
                    }
                }
            }
            monitor
        })
    }

    /// Ends a monitor, and removes its message. Returns whether it existed.
    pub(super) fn demonitor(&self, monitor: &Reference) -> bool {
        self.with_core(|core| {
            for slot in &mut core.processes {
                slot.monitored_by.retain(|(it, ..)| it != monitor);
            }
            let slot = &mut core.processes[self.index];
            let was_there = slot.take_monitor(monitor);
            slot.forget(|message| is_from(message, "DOWN", monitor));
            was_there
        })
    }

    /// Sends an exit signal: `exit(Pid, Reason)`.
    pub(super) fn exit(&self, to: &Term, reason: Term) {
        let from = self.pid();
        self.with_core(|core| {
            if let Some(index) = core.find(to) {
                let signal = Signal::Exit {
                    from: from.clone(),
                    reason: reason.clone(),
                    is_link: false,
                };
                core.send(Some(self.index), index, signal);
            }
            if let Some(outside) = &mut core.outside {
                let exit = Term::of(&(atom!("EXIT"), from, reason));
                outside.sent.0.push((to.clone(), exit));
            }
        });
    }

    /// Returns whether the node has no other step, so that the process may wait for threads.
    pub(super) fn may_block(&self) -> bool {
        self.with(|slot| std::mem::take(&mut slot.may_block))
    }

    pub(super) fn take_state(&self) -> Option<Box<dyn Any + Send>> {
        self.with(|slot| slot.state.take())
    }

    pub(super) fn put_state(&self, state: Option<Box<dyn Any + Send>>) {
        self.with(|slot| slot.state = state);
    }
}

impl NodeCore {
    /// Adds a monitor: `erlang:monitor/2`.
    pub(super) fn monitor(
        &mut self,
        watcher: usize,
        of: usize,
        (monitor, server): (Reference, Term),
    ) {
        let object = object_of(&server);
        let slot = &mut self.processes[watcher];
        slot.monitors.push((monitor.clone(), server));
        self.processes[of]
            .monitored_by
            .push((monitor, watcher, object));
    }
}

/// Returns the object in the `DOWN` message of a monitor: `{Name, Node}` for a name.
pub(super) fn object_of(server: &Term) -> Term {
    match server {
        Term::Atom(name) => Term::of(&(name, atom!("nonode@nohost"))),
        other => other.clone(),
    }
}

/// `{Tag, Reference, …}`
pub(super) fn is_from(message: &Term, tag: &str, reference: &Reference) -> bool {
    let Term::Tuple(elements) = message else {
        return false;
    };
    matches!(&**elements, [Term::Atom(first), Term::Reference(second), ..]
        if first.text() == tag && second == reference)
}

/// Converts a time of Erlang's.
pub(super) fn milliseconds(term: &Term) -> Option<Duration> {
    let milliseconds: u64 = term.decode().ok()?;
    Some(Duration::from_millis(milliseconds))
}
