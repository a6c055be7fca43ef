//! The answer of a process that has been started to the process that has started it.

use std::future::poll_fn;
use std::task::Poll;

use super::own::OwnProcess;
use super::signals::{AwaitedMessages, Signal, alias_tag};
use super::{elements, is};
use crate::runtime::Result;
use crate::{Exit, Reference, Term, atom};

impl OwnProcess {
    /// Waits until a process that this one has started answers. Returns
    /// `{ok, Pid} | {error, Reason} | ignore`.
    pub(super) async fn started_process(&self, monitor: &Reference) -> Term {
        let reply = self.reply_or_timeout(monitor, None).await;
        let reply = reply.unwrap_or_else(|| unreachable!("without a timer, it waits"));
        let answer = self.end_start(monitor, reply);
        self.demonitor(monitor);
        answer
    }

    /// Handles the answer of a process that this one has started, or its end. If it has not
    /// started, a process that traps exits gets no exit signal.
    pub(super) fn end_start(&self, monitor: &Reference, reply: Result<Term, Term>) -> Term {
        let answer = match reply {
            Ok(answer) => answer,
            Err(reason) => Term::of(&(crate::atoms::error, reason)),
        };
        let is_running = matches!(elements(&answer), [tag, _] if is(tag, "ok"));
        if !is_running {
            self.with_core(|core| {
                let slot = &core.processes[self.index];
                let mut monitors = slot.monitors.iter();
                let started = monitors
                    .find(|(it, _)| it == monitor)
                    .map(|it| it.1.clone());
                if slot.traps_exits
                    && let Some(Term::Pid(pid)) = started
                    && let Some(started) = core.index_of(&pid)
                {
                    core.unlink(self.index, started);
                }
            });
        }
        answer
    }

    /// Waits for the reply with this reference, or the reason why there is none. `None` if the
    /// timer fires before.
    pub(super) async fn reply_or_timeout(
        &self,
        monitor: &Reference,
        timer: Option<&Reference>,
    ) -> Option<Result<Term, Term>> {
        poll_fn(|_| {
            if let Some(reply) = self.take_reply(monitor) {
                return Poll::Ready(Some(reply));
            }
            if timer.is_some_and(|timer| self.has_fired(timer)) {
                return Poll::Ready(None);
            }
            let replies = AwaitedMessages::Replies(vec![monitor.clone()]);
            self.with(|slot| slot.awaited = replies);
            Poll::Pending
        })
        .await
    }

    /// Registers this process: `{local, Name}`, `{global, Name}` or `{via, Module, Name}`.
    ///
    /// # Errors
    /// The end of the process if another one has the name. The process that has started this one
    /// knows it already.
    pub(super) fn register(&self, name: &Term) -> Result<()> {
        let name = match elements(name) {
            [tag, local] if is(tag, "local") => local,
            _ => name,
        };
        let other = self.with_core(|core| match core.find(name) {
            Some(other) => Some(core.pid_of(other)),
            None => {
                core.names.push((name.clone(), self.index));
                None
            }
        });
        match other {
            None => Ok(()),
            Some(other) => {
                let reason = Term::of(&(atom!("already_started"), other));
                self.not_started(Exit::new(reason.clone()), reason);
                Err(Exit::new(crate::atoms::normal))
            }
        }
    }

    /// Waits for the answer of a process that this one has started. Returns its reference, which is
    /// also a monitor.
    pub(super) fn await_start(&self, process: usize) -> Reference {
        self.with_core(|core| {
            let monitor = core.reference();
            let pid = Term::of(&core.pid_of(process));
            core.monitor(self.index, process, (monitor.clone(), pid));
            core.processes[self.index].aliases.push(monitor.clone());
            core.processes[process].starter = Some((self.index, monitor.clone()));
            monitor
        })
    }

    /// Tells the process that has started this one that `init` has returned.
    pub(super) fn started(&self) {
        let pid = self.pid();
        self.acknowledge(Ok(()), Term::of(&(crate::atoms::ok, pid)));
    }

    /// Tells the process that has started this one that `init` has failed.
    pub(super) fn not_started(&self, exit: Exit, reason: Term) {
        self.acknowledge(Err(exit), Term::of(&(crate::atoms::error, reason)));
    }

    /// Tells the process that has started this one that `init` has returned `ignore`.
    pub(super) fn ignored(&self) {
        let ignore = atom!("ignore");
        self.acknowledge(Err(Exit::new(ignore.clone())), Term::of(&ignore));
    }

    fn acknowledge(&self, started: Result<()>, answer: Term) {
        self.with_core(|core| {
            if let Some(outside) = &mut core.outside {
                outside.started = Some(started);
            }
            if let Some((starter, reference)) = core.processes[self.index].starter.take() {
                let message = Term::of(&(alias_tag(&reference), answer));
                core.send(Some(self.index), starter, Signal::Message(message));
            }
        });
    }
}
