//! Erlang's functions that a simulated node performs for its processes.

use super::super::environment;
use super::own::{OwnProcess, milliseconds};
use super::signals::Signal;
use super::timers::{NewTimer, TimerEffect};
use crate::atoms::{error, ok, timeout};
use crate::runtime::protocol;
use crate::{Reference, Term, atom};

impl OwnProcess {
    /// Performs a request that does not wait. `None` if only a VM could perform it, or if it waits.
    pub(super) fn at_once(&self, request: &Term) -> Option<Term> {
        let Term::Tuple(elements) = request else {
            return None;
        };
        match &**elements {
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
        }
    }

    fn operation(&self, kind: &str, argument: &Term) -> Option<Term> {
        match (kind, argument) {
            ("monitor", server) => Some(Term::of(&self.monitor(server))),
            ("cancel_timer", Term::Reference(timer)) => {
                let left = self.cancel_timer(timer).map(|left| left.as_millis());
                Some(Term::of(&Vec::from_iter(left)))
            }
            _ => None,
        }
    }

    fn function(&self, module: &str, function: &str, arguments: &[Term]) -> Option<Term> {
        if let Some(variables) = environment::answer(module, function) {
            return Some(variables);
        }
        Some(match (module, function, arguments) {
            ("erlang", "send_after", [time, to, message]) => {
                let timer = self.reference();
                let effect = TimerEffect::Message(to.clone(), message.clone());
                self.start_timer(timer.clone(), milliseconds(time)?, effect);
                Term::of(&timer)
            }
            ("erlang", "start_timer", [time, to, message]) => {
                let timer = self.reference();
                let message = Term::of(&(timeout, timer.clone(), message));
                let effect = TimerEffect::Message(to.clone(), message);
                self.start_timer(timer.clone(), milliseconds(time)?, effect);
                Term::of(&timer)
            }
            ("timer", "send_interval", [time, message]) => {
                Term::of(&(ok, self.start_interval(time, message)?))
            }
            ("timer", "cancel", [Term::Reference(timer)]) => {
                match self.with_core(|core| core.timers.cancel(timer)) {
                    Some(_) => Term::of(&ok),
                    None => Term::of(&(error, protocol::badarg)),
                }
            }
            ("erlang", "process_flag", [Term::Atom(flag), value]) if flag.text() == "trap_exit" => {
                let on = value.decode().ok()?;
                let before = self.with(|slot| std::mem::replace(&mut slot.traps_exits, on));
                Term::of(&before)
            }
            ("erlang", "whereis", [name]) if self.is_in_a_node() => {
                let found = self.with_core(|core| core.find(name).map(|it| core.pid_of(it)));
                found.map_or_else(|| Term::of(&atom!("undefined")), |pid| Term::of(&pid))
            }
            ("erlang", "is_process_alive", [pid]) if self.is_in_a_node() => {
                Term::of(&self.with_core(|core| core.find(pid).is_some()))
            }
            ("erlang", "node", []) if self.is_in_a_node() => Term::of(&atom!("nonode@nohost")),
            _ => return self.signal(module, function, arguments),
        })
    }

    /// Returns whether the other processes of the program are in the node, too.
    pub(super) fn is_in_a_node(&self) -> bool {
        self.with_core(|core| core.outside.is_none())
    }

    /// Handles functions that send something, or that concern other processes.
    fn signal(&self, module: &str, function: &str, arguments: &[Term]) -> Option<Term> {
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
                self.exit(to, reason.clone());
                Term::of(&true)
            }
            ("erlang", "demonitor", [Term::Reference(monitor), ..]) => {
                Term::of(&self.demonitor(monitor))
            }
            ("erlang", "link" | "unlink", [pid @ Term::Pid(_)]) => {
                self.change_link(function == "link", pid);
                Term::of(&true)
            }
            ("erlang", "alias", _) => {
                let alias = self.reference();
                self.with(|slot| slot.aliases.push(alias.clone()));
                Term::of(&alias)
            }
            ("erlang", "unalias", [Term::Reference(alias)]) => self.with(|slot| {
                let before = slot.aliases.len();
                slot.aliases.retain(|other| other != alias);
                Term::of(&(slot.aliases.len() < before))
            }),
            ("net_kernel", "monitor_nodes", _) => Term::of(&ok),
            _ => return None,
        })
    }

    /// A link to a process that has ended brings its signal at once, as in Erlang.
    fn change_link(&self, is_linked: bool, process: &Term) {
        self.with_core(|core| match (core.find(process), process) {
            (Some(other), _) if is_linked => core.link(self.index, other),
            (Some(other), _) => core.unlink(self.index, other),
            (None, Term::Pid(pid)) if is_linked => {
                if let Some(other) = core.index_of(pid) {
                    let signal = Signal::Exit {
                        from: pid.clone(),
                        reason: Term::of(&atom!("noproc")),
                        is_link: true,
                    };
                    core.send(Some(other), self.index, signal);
                }
            }
            (None, _) => {}
        });
    }

    fn start_interval(&self, time: &Term, message: &Term) -> Option<Reference> {
        let timer = self.reference();
        let to = Term::of(&self.pid());
        let new = NewTimer {
            reference: timer.clone(),
            time: milliseconds(time)?,
            effect: TimerEffect::Message(to, message.clone()),
            repeats: true,
        };
        self.with_core(|core| core.timers.start(new));
        Some(timer)
    }
}
