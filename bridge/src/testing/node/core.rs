//! The data of a simulated node: its processes, the signals between them, its names and its time.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::time::Duration;

use super::outside::Outside;
use super::signals::{Signal, SignalChannel};
use super::slot::{Arrived, SimulatedProcess, reason_of_end};
use super::timers::{DueTimer, TestTimers, TimerEffect};
use super::violation::Violation;
use crate::runtime::leaving_callers_alone;
use crate::{Atom, Exit, Pid, PidParts, Reference, ReferenceParts, Term, atom};

/// The future that runs a process. Its output is the end of the process.
pub(super) type ProcessFuture = Pin<Box<dyn Future<Output = Exit>>>;

/// A signal, with its sender. `None` stands for the test.
pub(super) type SentSignal = (Option<usize>, Signal);

/// Starts a process that is linked to the process with this index:
/// `Module:start_link(Arguments...)`. Returns the reference of the answer. `None` if the program
/// has no such module.
pub(super) type StartProcess = fn(&SharedCore, usize, &Atom, &[Term]) -> Option<Reference>;

/// The data of a node, which its processes share.
pub(super) type SharedCore = Rc<RefCell<NodeCore>>;

/// The data of a node.
pub(in crate::testing) struct NodeCore {
    pub(super) processes: Vec<SimulatedProcess>,
    /// The number in the pid of the first process.
    first: u32,
    pub(super) names: Vec<(Term, usize)>,
    pub(super) channels: Vec<SignalChannel>,
    /// The number of signals that were sent.
    sent: u64,
    pub(in crate::testing) timers: TestTimers,
    references: u32,
    /// Processes that were spawned and have no future yet.
    pub(super) spawned: Vec<(usize, ProcessFuture)>,
    pub(super) start: StartProcess,
    /// The first broken property.
    pub(in crate::testing) violation: Option<Violation>,
    /// The past events, if they are recorded.
    pub(in crate::testing) trace: Option<Vec<String>>,
    /// The part of a test around a single process.
    pub(in crate::testing) outside: Option<Outside>,
}

/// Returns a process of a node that is not distributed.
pub(in crate::testing) fn pid(id: u32) -> Pid {
    Pid::from_parts(PidParts {
        node: atom!("nonode@nohost"),
        id,
        serial: 0,
        creation: 0,
    })
}

impl Drop for NodeCore {
    /// The callers in the states of processes need no report: they see that these have ended.
    fn drop(&mut self) {
        leaving_callers_alone(|| self.processes.clear());
    }
}

impl NodeCore {
    pub(super) fn new(first: u32, outside: Option<Outside>, start: StartProcess) -> Self {
        NodeCore {
            processes: Vec::new(),
            first,
            names: Vec::new(),
            channels: Vec::new(),
            sent: 0,
            timers: TestTimers::default(),
            references: 0,
            spawned: Vec::new(),
            start,
            violation: None,
            trace: None,
            outside,
        }
    }

    /// Returns a reference that has not been used.
    pub(in crate::testing) fn reference(&mut self) -> Reference {
        self.references += 1;
        let parts = ReferenceParts {
            node: atom!("nonode@nohost"),
            creation: 0,
            ids: vec![self.references, 0, 0],
        };
        Reference::from_parts(parts).unwrap_or_else(|| unreachable!("it has three words"))
    }

    /// Adds a process, which runs when its first signal arrives.
    pub(in crate::testing) fn add(&mut self, label: &'static str, parent: Option<usize>) -> usize {
        let index = self.processes.len();
        let number = u32::try_from(index).unwrap_or(u32::MAX);
        let parent_pid = parent.map(|parent| self.pid_of(parent));
        self.processes.push(SimulatedProcess {
            pid: Some(pid(self.first + number)),
            label,
            parent: parent_pid.or_else(|| self.outside.as_ref().map(|it| it.pid.clone())),
            ..SimulatedProcess::default()
        });
        if let Some(parent) = parent {
            self.link(parent, index);
        }
        self.send(parent, index, Signal::Start);
        index
    }

    pub(in crate::testing) fn pid_of(&self, index: usize) -> Pid {
        let pid = self.processes[index].pid.clone();
        pid.unwrap_or_else(|| unreachable!("every process has one"))
    }

    /// Returns the process with this pid, dead or alive.
    pub(super) fn index_of(&self, pid: &Pid) -> Option<usize> {
        let parts = pid.parts();
        let index = usize::try_from(parts.id.checked_sub(self.first)?).ok()?;
        let slot = self.processes.get(index)?;
        (slot.pid.as_ref() == Some(pid)).then_some(index)
    }

    /// Returns the living process that a term refers to: a pid, an alias, a name,
    /// `{Name, Node}`, `{global, Name}` or `{via, Module, Name}`.
    pub(super) fn find(&self, target: &Term) -> Option<usize> {
        let index = match target {
            Term::Pid(pid) => self.index_of(pid)?,
            Term::Reference(alias) => {
                let mut slots = self.processes.iter();
                slots.position(|slot| slot.aliases.contains(alias))?
            }
            Term::Tuple(parts) => match &**parts {
                [name @ Term::Atom(kind), Term::Atom(node)]
                    if kind.text() != "global" && node.text() == "nonode@nohost" =>
                {
                    self.named(name)?
                }
                _ => self.named(target)?,
            },
            _ => self.named(target)?,
        };
        self.processes[index].ended.is_none().then_some(index)
    }

    fn named(&self, name: &Term) -> Option<usize> {
        let found = self.names.iter().find(|(it, _)| it == name)?;
        Some(found.1)
    }

    pub(super) fn send(&mut self, from: Option<usize>, to: usize, signal: Signal) {
        self.sent += 1;
        let numbered = (self.sent, signal);
        let is_it = |channel: &&mut SignalChannel| channel.from == from && channel.to == to;
        match self.channels.iter_mut().find(is_it) {
            Some(channel) => channel.signals.push_back(numbered),
            None => self.channels.push(SignalChannel {
                from,
                to,
                signals: VecDeque::from([numbered]),
            }),
        }
    }

    pub(super) fn link(&mut self, one: usize, other: usize) {
        if one == other || self.processes[one].links.contains(&other) {
            return;
        }
        self.processes[one].links.push(other);
        self.processes[other].links.push(one);
    }

    pub(super) fn unlink(&mut self, one: usize, other: usize) {
        self.processes[one].links.retain(|it| *it != other);
        self.processes[other].links.retain(|it| *it != one);
    }

    /// Takes the signals of a channel up to the first one that its process has to handle, which is
    /// the last one of the result.
    pub(super) fn take_signals(&mut self, channel: usize) -> (usize, Vec<SentSignal>) {
        let SignalChannel { from, to, .. } = self.channels[channel];
        let awaited = self.processes[to].awaited.clone();
        let signals = &mut self.channels[channel].signals;
        let last = signals.iter().position(|(_, it)| awaited.include(it));
        let taken = signals
            .drain(..=last.unwrap_or(0))
            .map(|(_, it)| (from, it));
        let taken = taken.collect();
        if signals.is_empty() {
            self.channels.remove(channel);
        }
        (to, taken)
    }

    pub(super) fn arrive(&mut self, to: usize, signal: Signal) -> Arrived {
        let slot = &mut self.processes[to];
        match slot.ended {
            Some(_) => Arrived::Nothing,
            None => slot.arrive(signal),
        }
    }

    /// Returns when the next timer is due.
    pub(super) fn next_timer(&self) -> Option<Duration> {
        self.timers.next()
    }

    /// Lets a timer fire, the one with this index among those that are due next, and the time pass
    /// until then. Returns the process that has to look.
    pub(super) fn fire(&mut self, index: usize) -> Option<usize> {
        let due = self.timers.next()?;
        self.timers.set_now(due);
        let DueTimer { reference, effect } = self.timers.take_due(index)?;
        match effect {
            TimerEffect::Wake(index) => {
                self.processes[index].fired.push(reference);
                Some(index)
            }
            TimerEffect::Message(to, message) => match self.find(&to) {
                Some(index) => {
                    self.processes[index].mailbox.push_back(message);
                    Some(index)
                }
                None => {
                    if let Some(outside) = &mut self.outside {
                        outside.sent.0.push((to, message));
                    }
                    None
                }
            },
        }
    }

    /// Returns how many timers are due next, at one time.
    pub(super) fn due_timers(&self) -> usize {
        self.timers.count_next()
    }

    /// Returns the running children of supervisors that are not supervisors themselves.
    pub(super) fn workers(&self) -> Vec<usize> {
        let slots = self.processes.iter().enumerate();
        let workers = slots.filter(|(_, slot)| {
            let parent = slot.parent.as_ref().and_then(|pid| self.index_of(pid));
            let is_child = parent.is_some_and(|parent| self.processes[parent].is_supervisor);
            is_child && slot.starter.is_none() && slot.ended.is_none() && !slot.is_supervisor
        });
        Vec::from_iter(workers.map(|(index, _)| index))
    }

    /// Ends a process: its links and monitors get their signals, its names are free.
    pub(super) fn end(&mut self, index: usize, exit: Exit) {
        let reason = reason_of_end(&exit);
        let from = self.pid_of(index);
        let slot = &mut self.processes[index];
        slot.ended = Some(exit);
        slot.mailbox.clear();
        slot.is_idle = true;
        let links = std::mem::take(&mut slot.links);
        let watchers = std::mem::take(&mut slot.monitored_by);
        self.names.retain(|(_, it)| *it != index);
        self.channels.retain(|channel| channel.to != index);
        self.timers.forget_wakes_of(index);
        for other in links {
            self.processes[other].links.retain(|it| *it != index);
            let exit = Signal::Exit {
                from: from.clone(),
                reason: reason.clone(),
                is_link: true,
            };
            self.send(Some(index), other, exit);
        }
        for (monitor, watcher, object) in watchers {
            let down = Signal::Down {
                monitor,
                object,
                reason: reason.clone(),
            };
            self.send(Some(index), watcher, down);
        }
    }
}
