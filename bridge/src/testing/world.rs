//! The work of Erlang for a process, as far as it can be done without a VM. The test does the rest.

use std::collections::VecDeque;
use std::time::Duration;

use super::environment;
use super::sent::Sent;
use super::timers::{NewTimer, TestTimers};
use crate::atoms::{error, ok, timeout};
use crate::runtime::{Result, protocol};
use crate::{Exit, Pid, PidParts, Reference, ReferenceParts, Term, atom};

/// Performs a request on behalf of the test.
pub(super) type PerformRequest = Box<dyn FnMut(Term) -> Result<Term>>;

/// The surroundings of a process.
pub(super) struct World {
    pub(super) pid: Pid,
    pub(super) timers: TestTimers,
    pub(super) mailbox: VecDeque<Term>,
    pub(super) sent: Sent,
    /// Replies to calls of the test: the caller, and the outcome of its call.
    pub(super) replies: Vec<(Term, Result<Term>)>,
    pub(super) traps_exits: bool,
    /// The monitors, each with the monitored process.
    monitors: Vec<(Reference, Term)>,
    aliases: Vec<Reference>,
    references: u32,
    pub(super) answer: PerformRequest,
}

/// Returns the process that has started the server, and calls it.
pub(super) fn parent() -> Pid {
    pid(99)
}

/// Returns a process of a node that is not distributed.
pub(super) fn pid(id: u32) -> Pid {
    Pid::from_parts(PidParts {
        node: atom!("nonode@nohost"),
        id,
        serial: 0,
        creation: 0,
    })
}

impl World {
    pub(super) fn new(pid: Pid, answer: PerformRequest) -> Self {
        World {
            pid,
            timers: TestTimers::default(),
            mailbox: VecDeque::new(),
            sent: Sent::default(),
            replies: Vec::new(),
            traps_exits: false,
            monitors: Vec::new(),
            aliases: Vec::new(),
            references: 0,
            answer,
        }
    }

    /// Returns a reference that has not been used.
    pub(super) fn reference(&mut self) -> Reference {
        self.references += 1;
        let parts = ReferenceParts {
            node: atom!("nonode@nohost"),
            creation: 0,
            ids: vec![self.references, 0, 0],
        };
        Reference::from_parts(parts).unwrap_or_else(|| unreachable!("it has three words"))
    }

    /// Performs a request of the process, as the generated module would.
    pub(super) fn perform(&mut self, request: Term) -> Result<Term> {
        let done = match &request {
            Term::Tuple(elements) => match &**elements {
                [
                    Term::Atom(kind),
                    Term::Atom(module),
                    Term::Atom(function),
                    Term::List(arguments),
                ] if matches!(kind.text(), "apply" | "here") => {
                    self.function(module.text(), function.text(), arguments)
                }
                [Term::Atom(kind), argument] => self.operation(kind.text(), argument),
                _ => None,
            },
            _ => None,
        };
        match done {
            Some(value) => Ok(value),
            None => (self.answer)(request),
        }
    }

    fn operation(&mut self, kind: &str, argument: &Term) -> Option<Term> {
        match (kind, argument) {
            ("sleep", time) => {
                let time = milliseconds(time)?;
                self.timers.set_now(self.timers.now().saturating_add(time));
                self.deliver_due();
                Some(Term::of(&ok))
            }
            ("monitor", server) => {
                let monitor = self.reference();
                self.monitors.push((monitor.clone(), server.clone()));
                Some(Term::of(&monitor))
            }
            ("cancel_timer", Term::Reference(timer)) => {
                let left = self.cancel_timer(timer).map(|left| left.as_millis());
                Some(Term::of(&Vec::from_iter(left)))
            }
            _ => None,
        }
    }

    fn function(&mut self, module: &str, function: &str, arguments: &[Term]) -> Option<Term> {
        if let Some(variables) = environment::answer(module, function) {
            return Some(variables);
        }
        Some(match (module, function, arguments) {
            ("erlang", "send_after", [time, to, message]) => {
                let timer = self.reference();
                self.start_timer(timer.clone(), time, to.clone(), message.clone(), false)?;
                Term::of(&timer)
            }
            ("erlang", "start_timer", [time, to, message]) => {
                let timer = self.reference();
                let message = Term::of(&(timeout, timer.clone(), message));
                self.start_timer(timer.clone(), time, to.clone(), message, false)?;
                Term::of(&timer)
            }
            ("timer", "send_interval", [time, message]) => {
                let timer = self.reference();
                let to = Term::of(&self.pid);
                self.start_timer(timer.clone(), time, to, message.clone(), true)?;
                Term::of(&(ok, timer))
            }
            ("timer", "cancel", [Term::Reference(timer)]) => match self.timers.cancel(timer) {
                Some(_) => Term::of(&ok),
                None => Term::of(&(error, protocol::badarg)),
            },
            ("erlang", "process_flag", [Term::Atom(flag), value]) if flag.text() == "trap_exit" => {
                let on = value.decode().ok()?;
                Term::of(&std::mem::replace(&mut self.traps_exits, on))
            }
            _ => return self.signal(module, function, arguments),
        })
    }

    /// Handles functions that send something, or that concern other processes.
    fn signal(&mut self, module: &str, function: &str, arguments: &[Term]) -> Option<Term> {
        Some(match (module, function, arguments) {
            ("erlang", "send", [to, message]) => {
                self.send(to.clone(), message.clone());
                message.clone()
            }
            ("gen_server", "cast", [to, message]) => {
                self.send(to.clone(), Term::of(&(protocol::gen_cast, message)));
                Term::of(&ok)
            }
            ("gen_server" | "gen_statem", "reply", [client, reply]) => {
                self.reply(client, Ok(reply.clone()));
                Term::of(&ok)
            }
            ("erlang", "exit", [to, reason]) => {
                let exit = Term::of(&(atom!("EXIT"), self.pid.clone(), reason));
                self.send(to.clone(), exit);
                Term::of(&true)
            }
            ("erlang", "demonitor", [Term::Reference(monitor), ..]) => {
                let was_there = self.take_monitor(monitor).is_some();
                self.forget(|message| is_from(message, "DOWN", monitor));
                Term::of(&was_there)
            }
            ("erlang", "link" | "unlink", [Term::Pid(_)]) => Term::of(&true),
            ("erlang", "alias", _) => {
                let alias = self.reference();
                self.aliases.push(alias.clone());
                Term::of(&alias)
            }
            ("erlang", "unalias", [Term::Reference(alias)]) => {
                let before = self.aliases.len();
                self.aliases.retain(|other| other != alias);
                Term::of(&(self.aliases.len() < before))
            }
            ("net_kernel", "monitor_nodes", _) => Term::of(&ok),
            _ => return None,
        })
    }

    fn start_timer(
        &mut self,
        reference: Reference,
        time: &Term,
        to: Term,
        message: Term,
        repeats: bool,
    ) -> Option<()> {
        self.timers.start(NewTimer {
            reference,
            time: milliseconds(time)?,
            to,
            message,
            repeats,
        });
        Some(())
    }

    /// Records a message. A message to the process itself is delivered.
    fn send(&mut self, to: Term, message: Term) {
        let is_own = match &to {
            Term::Pid(pid) => *pid == self.pid,
            Term::Reference(alias) => self.aliases.contains(alias),
            _ => false,
        };
        if is_own {
            self.mailbox.push_back(message.clone());
        }
        self.sent.0.push((to, message));
    }

    /// Replies to a caller: to the test, or to a process that the test has invented.
    pub(super) fn reply(&mut self, client: &Term, reply: Result<Term>) {
        match (client, reply) {
            (Term::Tuple(elements), Ok(reply))
                if elements.first() != Some(&Term::of(&parent())) =>
            {
                if let [pid, tag] = &**elements {
                    let message = Term::of(&(tag, reply));
                    self.sent.0.push((pid.clone(), message));
                }
            }
            (_, reply) => self.replies.push((client.clone(), reply)),
        }
    }

    /// Delivers the messages of timers that are due.
    pub(super) fn deliver_due(&mut self) {
        while let Some((to, message)) = self.timers.take_due() {
            match to == Term::of(&self.pid) {
                true => self.mailbox.push_back(message),
                false => self.sent.0.push((to, message)),
            }
        }
    }

    /// Removes a monitor. Returns the monitored process.
    pub(super) fn take_monitor(&mut self, monitor: &Reference) -> Option<Term> {
        let index = self.monitors.iter().position(|(it, _)| it == monitor)?;
        Some(self.monitors.remove(index).1)
    }

    /// `{'DOWN', Monitor, process, Object, Reason}`
    pub(super) fn down(&mut self, monitor: &Reference, reason: &Term) -> bool {
        let Some(monitored) = self.take_monitor(monitor) else {
            return false;
        };
        // For a process that is monitored by its name, the message has `{Name, Node}`.
        let object = match monitored {
            Term::Atom(name) => Term::of(&(name, atom!("nonode@nohost"))),
            other => other,
        };
        let down = Term::of(&(
            atom!("DOWN"),
            monitor.clone(),
            atom!("process"),
            object,
            reason,
        ));
        self.mailbox.push_back(down);
        true
    }

    /// Cancels a timer, and removes its message. Returns the remaining time.
    pub(super) fn cancel_timer(&mut self, timer: &Reference) -> Option<Duration> {
        let left = self.timers.cancel(timer);
        if left.is_none() {
            self.forget(|message| is_from(message, "timeout", timer));
        }
        left
    }

    fn forget(&mut self, is_it: impl Fn(&Term) -> bool) {
        self.mailbox.retain(|message| !is_it(message));
    }
}

/// `{Tag, Reference, …}`
fn is_from(message: &Term, tag: &str, reference: &Reference) -> bool {
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

/// Returns the default for tests without an `answer`: a request that only a VM could perform is
/// then a mistake of the test.
pub(super) fn unanswered() -> PerformRequest {
    Box::new(|request| -> Result<Term, Exit> {
        panic!(
            "the server requests {request}, and the test has no answer for it: call `server.answer(|request| …)`"
        )
    })
}
