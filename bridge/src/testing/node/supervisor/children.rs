//! The children of a supervisor: their start and their end.

use super::{RunningSupervisor, shutdown};
use crate::behaviour::supervisor::{ChildSpec, ChildSpecMap, Restart, Shutdown, Worker};
use crate::runtime::protocol;
use crate::testing::node::own::{OwnProcess, milliseconds};
use crate::testing::node::{elements, is};
use crate::{Atom, FromTerm, Pid, Term, Timeout, atom};

/// A child, with its child spec.
pub(super) struct SupervisedChild {
    spec: ChildSpecMap,
    /// The arguments after those of the template.
    arguments: Vec<Term>,
    pub(super) state: ChildState,
    /// The pid of its first process, which identifies a child without an id.
    first: Option<Pid>,
}

/// The process of a child.
#[derive(Clone)]
pub(super) enum ChildState {
    Running(Pid),
    Restarting,
    Terminated,
}

impl SupervisedChild {
    pub(super) fn new(spec: ChildSpec) -> Self {
        SupervisedChild {
            spec: spec.into_map(),
            arguments: Vec::new(),
            state: ChildState::Terminated,
            first: None,
        }
    }

    /// Returns a child of this template.
    pub(super) fn with(&self, arguments: Vec<Term>) -> Self {
        SupervisedChild {
            spec: self.spec.clone(),
            arguments,
            state: ChildState::Terminated,
            first: None,
        }
    }

    pub(super) fn id(&self) -> &Term {
        &self.spec.id
    }

    /// Returns the term that identifies the child: its id, or the pid of its first process.
    pub(super) fn key(&self) -> Term {
        match &self.first {
            Some(pid) => Term::of(pid),
            None => self.spec.id.clone(),
        }
    }

    pub(super) fn restart(&self) -> Restart {
        self.spec.restart.clone().unwrap_or(Restart::Permanent)
    }

    pub(super) fn is_process(&self, pid: &Pid) -> bool {
        matches!(&self.state, ChildState::Running(it) if it == pid)
    }

    pub(super) fn is_running(&self) -> bool {
        matches!(self.state, ChildState::Running(_))
    }

    pub(super) fn is_significant(&self) -> bool {
        self.spec.significant == Some(true)
    }

    pub(super) fn is_supervisor(&self) -> bool {
        self.spec.r#type == Some(Worker::Supervisor)
    }

    /// `{Id, Child, Type, Modules}`
    pub(super) fn description(&self, has_id: bool) -> Term {
        let id = match has_id {
            true => self.spec.id.clone(),
            false => Term::of(&atom!("undefined")),
        };
        let process = match &self.state {
            ChildState::Running(pid) => Term::of(pid),
            ChildState::Restarting => Term::of(&atom!("restarting")),
            ChildState::Terminated => Term::of(&atom!("undefined")),
        };
        let worker = self.spec.r#type.clone().unwrap_or(Worker::Worker);
        let modules = vec![self.spec.start.m.clone()];
        Term::of(&(id, process, worker, modules))
    }

    /// Returns the module and the arguments of its `start_link`.
    fn start(&self) -> Option<(Atom, Vec<Term>)> {
        let start = &self.spec.start;
        let own = start.a.as_deref().unwrap_or_default();
        match (start.f.text(), own) {
            ("start_link", own) => {
                let arguments = own.iter().chain(&self.arguments).cloned();
                Some((start.m.clone(), arguments.collect()))
            }
            // A template with options.
            ("start_child", [module, options])
                if start.m == Atom::of_program(&protocol::HELPER) =>
            {
                let arguments = self.arguments.iter().chain([options]).cloned();
                Some((Atom::from_term(module).ok()?, arguments.collect()))
            }
            _ => None,
        }
    }
}

impl RunningSupervisor {
    /// Starts the children from this one on that do not run.
    ///
    /// # Errors
    /// The id of the first child that does not start, and the reason.
    pub(super) async fn start_all(&mut self, first: usize) -> Result<(), (Term, Term)> {
        let mut index = first;
        while index < self.children.len() {
            if !matches!(self.children[index].state, ChildState::Running(_)) {
                let started = self.start_one(index).await;
                started.map_err(|reason| (self.children[index].id().clone(), reason))?;
            }
            index += 1;
        }
        Ok(())
    }

    /// Starts a child.
    ///
    /// # Errors
    /// The reason why it does not start.
    pub(super) async fn start_one(&mut self, index: usize) -> Result<Term, Term> {
        let child = &self.children[index];
        let spec = &child.spec.start;
        let Some((module, arguments)) = child.start() else {
            panic!(
                "a simulated node cannot start a child by `{}:{}`: run this test on a VM",
                spec.m, spec.f
            )
        };
        let Some(monitor) = self.own.start_linked(&module, &arguments) else {
            panic!(
                "a simulated node cannot start a process of the module `{module}`: run this test on a VM"
            )
        };
        let answer = self.own.started_process(&monitor).await;
        let child = &mut self.children[index];
        match elements(&answer) {
            [tag, Term::Pid(pid)] if is(tag, "ok") => {
                child.state = ChildState::Running(pid.clone());
                if self.template.is_some() && child.first.is_none() {
                    child.first = Some(pid.clone());
                }
                Ok(Term::of(pid))
            }
            [_, reason] => Err(reason.clone()),
            // `ignore`
            _ => {
                child.state = ChildState::Terminated;
                Ok(Term::of(&atom!("undefined")))
            }
        }
    }

    /// Stops all children, the last one first.
    pub(super) async fn stop_all(&mut self) {
        for index in (0..self.children.len()).rev() {
            self.stop_one(index).await;
        }
    }

    /// Stops a child as its child spec says.
    pub(super) async fn stop_one(&mut self, index: usize) {
        let child = &mut self.children[index];
        let state = std::mem::replace(&mut child.state, ChildState::Terminated);
        let ChildState::Running(pid) = state else {
            return;
        };
        let is_supervisor = child.is_supervisor();
        let time = match child.spec.shutdown.clone() {
            Some(Shutdown::BrutalKill) => None,
            Some(Shutdown::Timeout(time)) => Some(time),
            None if is_supervisor => Some(Timeout::Infinity),
            None => Some(Timeout::from_millis(5_000)),
        };
        self.own.stop_process(&pid, time).await;
    }
}

impl OwnProcess {
    /// Stops a linked process: with `kill`, or with `shutdown` and this time.
    async fn stop_process(&self, pid: &Pid, time: Option<Timeout>) {
        let target = Term::of(pid);
        let monitor = self.monitor(&target);
        let kill = || Term::of(&atom!("kill"));
        match time {
            None => self.exit(&target, kill()),
            Some(time) => {
                self.exit(&target, shutdown());
                let limit = milliseconds(&Term::of(&time));
                let timer = limit.map(|limit| self.start_wake(limit));
                let ended = self.reply_or_timeout(&monitor, timer.as_ref()).await;
                if let Some(timer) = timer {
                    self.cancel_wake(&timer);
                }
                if ended.is_some() {
                    return self.forget_process(&target);
                }
                self.exit(&target, kill());
            }
        }
        let _ended = self.reply_or_timeout(&monitor, None).await;
        self.forget_process(&target);
    }

    /// Removes the message of a linked process that has ended.
    fn forget_process(&self, pid: &Term) {
        self.with(|slot| {
            slot.forget(
                |message| matches!(elements(message), [tag, it, _] if is(tag, "EXIT") && it == pid),
            );
        });
    }
}
