//! The data of a process that its node keeps.

use std::any::Any;
use std::collections::VecDeque;

use super::signals::{AwaitedMessages, Signal, reply_reference};
use crate::{Class, Exit, Pid, Reference, Term, atom};

/// A process of a simulated node, without the future that runs it.
#[derive(Default)]
pub(super) struct SimulatedProcess {
    pub(super) pid: Option<Pid>,
    /// The name of its module, or of the function that it runs.
    pub(super) label: &'static str,
    /// Its registered name, if it has ended and the events are recorded.
    pub(super) last_name: Option<String>,
    pub(super) parent: Option<Pid>,
    /// The process that waits for its start, with the reference of the answer.
    pub(super) starter: Option<(usize, Reference)>,
    pub(super) mailbox: VecDeque<Term>,
    /// The state of its behaviour, between two callbacks.
    pub(super) state: Option<Box<dyn Any + Send>>,
    /// The term that its callbacks pass to each other: the state of a `gen_statem`.
    pub(super) chosen: Option<Term>,
    pub(super) traps_exits: bool,
    pub(super) is_supervisor: bool,
    pub(super) links: Vec<usize>,
    /// Its monitors of others, each with the monitored process as it was named.
    pub(super) monitors: Vec<(Reference, Term)>,
    /// The monitors that others have of it: the monitor, the other process and the object.
    pub(super) monitored_by: Vec<(Reference, usize, Term)>,
    pub(super) aliases: Vec<Reference>,
    /// Its timers that have fired and that it has not seen.
    pub(super) fired: Vec<Reference>,
    pub(super) awaited: AwaitedMessages,
    /// Whether it handles no event, so that its state is in place.
    pub(super) is_idle: bool,
    /// Whether its callback waits for other threads, and for nothing that happens in the node.
    pub(super) waits_for_threads: bool,
    /// Whether it may wait for other threads, if the node has no other step.
    pub(super) may_block: bool,
    pub(super) ended: Option<Exit>,
}

/// The effect of a signal on its process.
pub(super) enum Arrived {
    /// The process has to look at its mailbox.
    Message,
    Nothing,
    /// The process ends.
    Ends(Exit),
}

impl SimulatedProcess {
    /// Handles the arrival of a signal.
    pub(super) fn arrive(&mut self, signal: Signal) -> Arrived {
        match signal {
            Signal::Start => return Arrived::Message,
            Signal::Message(message) => {
                // A caller that has given up does not get the reply any more.
                let alias = reply_reference(&message);
                if alias.is_some_and(|alias| !self.aliases.contains(alias)) {
                    return Arrived::Nothing;
                }
                self.mailbox.push_back(message);
            }
            Signal::Exit {
                from,
                reason,
                is_link,
            } => return self.exit(&from, reason, is_link),
            Signal::Down {
                monitor,
                object,
                reason,
            } => {
                if !self.take_monitor(&monitor) {
                    return Arrived::Nothing;
                }
                let down = (atom!("DOWN"), monitor, atom!("process"), object, reason);
                self.mailbox.push_back(Term::of(&down));
            }
        }
        Arrived::Message
    }

    fn exit(&mut self, from: &Pid, reason: Term, is_link: bool) -> Arrived {
        let is = |text: &str| matches!(&reason, Term::Atom(atom) if atom.text() == text);
        let is_own = self.pid.as_ref() == Some(from);
        if is("kill") && !is_link {
            Arrived::Ends(Exit::new(atom!("killed")))
        } else if self.traps_exits {
            let message = (atom!("EXIT"), from.clone(), reason);
            self.mailbox.push_back(Term::of(&message));
            Arrived::Message
        } else if is("normal") && !is_own {
            Arrived::Nothing
        } else {
            Arrived::Ends(Exit::new(reason))
        }
    }

    /// Removes a monitor of this process. Returns whether it had it.
    pub(super) fn take_monitor(&mut self, monitor: &Reference) -> bool {
        let before = self.monitors.len();
        self.monitors.retain(|(it, _)| it != monitor);
        self.aliases.retain(|alias| alias != monitor);
        self.monitors.len() < before
    }

    /// Removes messages from the mailbox.
    pub(super) fn forget(&mut self, is_it: impl Fn(&Term) -> bool) {
        self.mailbox.retain(|message| !is_it(message));
    }
}

/// Returns the exit reason of this exception, as others see it: that of an error includes the
/// stacktrace, which is empty here.
pub(in crate::testing) fn reason_of_end(exit: &Exit) -> Term {
    match exit.class() {
        Class::Exit => exit.reason().clone(),
        Class::Error | Class::Throw => Term::of(&(exit.reason(), Term::nil())),
    }
}
