//! The scheduler of a simulated node.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::core::{NodeCore, ProcessFuture, SharedCore};
use super::outside::Outside;
use super::signals::Signal;
use super::slot::{Arrived, SimulatedProcess};
use super::start::{self, FirstProcess};
use super::test_body;
use crate::runtime::{AnyBody, leaving_callers_alone};
use crate::{Exit, Pid, Reference, Term, atom};

/// A step that a node can perform next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::testing) struct Candidate {
    pub(in crate::testing) from: Option<usize>,
    /// The process whose signal is delivered. `None` for a timer.
    pub(in crate::testing) to: Option<usize>,
}

impl Candidate {
    const TIMER: Candidate = Candidate {
        from: None,
        to: None,
    };
}

/// A node, with the futures of its processes.
pub(in crate::testing) struct SimulatedNode {
    core: SharedCore,
    futures: Vec<Option<ProcessFuture>>,
    /// The ends of processes.
    ended: Vec<Option<Exit>>,
}

impl SimulatedNode {
    /// Creates a node. The first process has this number in its pid.
    pub(in crate::testing) fn new(first: u32, outside: Option<Outside>) -> Self {
        SimulatedNode {
            core: Rc::new(RefCell::new(NodeCore::new(first, outside, start::linked))),
            futures: Vec::new(),
            ended: Vec::new(),
        }
    }

    pub(in crate::testing) fn add(&mut self, root: FirstProcess) -> usize {
        root.add(&self.core)
    }

    /// Adds the process of a test.
    pub(in crate::testing) fn add_body(&mut self, body: AnyBody) -> usize {
        test_body::add(&self.core, body)
    }

    pub(in crate::testing) fn with<T>(&self, body: impl FnOnce(&mut NodeCore) -> T) -> T {
        body(&mut self.core.borrow_mut())
    }

    /// Returns the channels with a signal that its process has to handle, the one with the oldest
    /// signal first.
    fn channels(&self) -> Vec<usize> {
        let core = self.core.borrow();
        let channels = core.channels.iter().enumerate();
        let mut found: Vec<(u64, usize)> = channels
            .filter_map(|(index, channel)| {
                let awaited = &core.processes[channel.to].awaited;
                let mut signals = channel.signals.iter();
                let wanted = signals.find(|(_, signal)| awaited.include(signal))?;
                Some((wanted.0, index))
            })
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, index)| index).collect()
    }

    /// Delivers the oldest signal. Returns whether there was one.
    pub(in crate::testing) fn deliver_oldest(&mut self) -> bool {
        match self.channels().first() {
            Some(channel) => {
                self.deliver(*channel);
                true
            }
            None => false,
        }
    }

    /// Delivers the next signal of a channel, and runs its process.
    fn deliver(&mut self, channel: usize) {
        let (to, signals) = self.core.borrow_mut().take_signals(channel);
        let mut looks = false;
        for (from, signal) in signals {
            self.core.borrow_mut().note_signal((from, to), &signal);
            let arrived = self.core.borrow_mut().arrive(to, signal);
            match arrived {
                Arrived::Nothing => {}
                Arrived::Message => looks = true,
                Arrived::Ends(exit) => return self.end(to, exit),
            }
        }
        if looks {
            self.poll(to);
        }
    }

    /// Lets the next timer fire, and runs its process. Returns whether there was one.
    pub(in crate::testing) fn fire(&mut self) -> bool {
        self.fire_one(0)
    }

    /// Performs one step, which `choose` chooses by its index: delivers a signal or, if no signal
    /// is on its way, lets a timer fire. Returns false if there is neither.
    pub(in crate::testing) fn step(
        &mut self,
        mut choose: impl FnMut(&[Candidate]) -> usize,
    ) -> bool {
        let channels = self.channels();
        if channels.is_empty() {
            let count = self.core.borrow().due_timers();
            let index = match count {
                0 | 1 => 0,
                _ => choose(&vec![Candidate::TIMER; count]),
            };
            return self.fire_one(index);
        }
        let index = match channels.len() {
            1 => 0,
            _ => {
                let core = self.core.borrow();
                let candidate = |channel: &usize| Candidate {
                    from: core.channels[*channel].from,
                    to: Some(core.channels[*channel].to),
                };
                choose(&Vec::from_iter(channels.iter().map(candidate)))
            }
        };
        self.deliver(channels[index]);
        true
    }

    fn fire_one(&mut self, index: usize) -> bool {
        let has_timer = self.core.borrow().next_timer().is_some();
        let process = self.core.borrow_mut().fire(index);
        if let Some(process) = process {
            self.core.borrow_mut().note_timer(process);
            self.poll(process);
        }
        has_timer
    }

    /// Runs a process that may wait for other threads, if the node has no other step. Returns
    /// whether that has changed anything.
    pub(in crate::testing) fn block(&mut self, process: usize) -> bool {
        self.core.borrow_mut().processes[process].may_block = true;
        self.poll(process);
        let has_signal = !self.channels().is_empty();
        let core = &mut *self.core.borrow_mut();
        let slot = &mut core.processes[process];
        slot.may_block = false;
        slot.is_idle || has_signal || core.timers.next().is_some()
    }

    /// Runs the processes that may wait for other threads, if the node has no other step.
    /// Returns whether that has changed anything.
    pub(in crate::testing) fn wait_for_threads(&mut self) -> bool {
        let busy = |node: &Self| {
            let core = node.core.borrow();
            let slots = core.processes.iter().enumerate();
            let is_busy = |slot: &SimulatedProcess| !slot.is_idle && slot.ended.is_none();
            let busy = slots.filter(|(_, slot)| is_busy(slot));
            Vec::from_iter(busy.map(|(index, _)| index))
        };
        let before = busy(self);
        before.iter().any(|process| self.block(*process))
    }

    /// Calls `body` with the state of a process, unless one of its callbacks runs.
    pub(in crate::testing) fn with_state<R>(
        &self,
        process: &Term,
        body: impl FnOnce(&(dyn Any + Send)) -> R,
    ) -> Option<R> {
        let core = self.core.borrow();
        let slot = &core.processes[core.find(process)?];
        slot.state.as_deref().map(body)
    }

    /// Returns the processes that wait within a callback, with their operations.
    pub(in crate::testing) fn waiting(&self) -> Vec<String> {
        let core = self.core.borrow();
        let slots = core.processes.iter().enumerate();
        let busy = slots.filter(|(_, slot)| !slot.is_idle && slot.ended.is_none());
        let line = |(index, slot): (usize, &SimulatedProcess)| {
            let name = core.name_of(index);
            let waits: Vec<_> = slot.monitors.iter().map(|(_, of)| of.to_string()).collect();
            match waits.is_empty() {
                true => format!("`{name}` waits for a message"),
                false => core.named_text(&format!("`{name}` waits for {}", waits.join(", "))),
            }
        };
        busy.map(line).collect()
    }

    /// Returns when the next timer is due.
    pub(in crate::testing) fn next_timer(&self) -> Option<Duration> {
        self.core.borrow().next_timer()
    }

    /// Kills a process: a running child of a supervisor that is not a supervisor itself.
    pub(in crate::testing) fn kill(&mut self, number: usize) {
        let victims = self.core.borrow().workers();
        if let Some(index) = number.checked_rem(victims.len()) {
            self.end(victims[index], Exit::new(atom!("killed")));
        }
    }

    fn poll(&mut self, process: usize) {
        self.take_spawned();
        let Some(future) = &mut self.futures[process] else {
            return;
        };
        let polled = future
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()));
        self.take_spawned();
        if let Poll::Ready(exit) = polled {
            self.end(process, exit);
        }
    }

    fn take_spawned(&mut self) {
        let spawned = std::mem::take(&mut self.core.borrow_mut().spawned);
        for (index, future) in spawned {
            self.futures.resize_with(index + 1, || None);
            self.ended.resize(index + 1, None);
            self.futures[index] = Some(future);
        }
    }

    fn end(&mut self, process: usize, exit: Exit) {
        self.take_spawned();
        let future = self.futures[process].take();
        leaving_callers_alone(|| drop(future));
        self.ended[process] = Some(exit.clone());
        self.core.borrow_mut().note_end(process, &exit);
        self.core.borrow_mut().end(process, exit);
    }
}

impl Drop for SimulatedNode {
    fn drop(&mut self) {
        leaving_callers_alone(|| self.futures.clear());
    }
}

/// The functions of a test around a single process.
impl SimulatedNode {
    fn slot<T>(&self, process: usize, body: impl FnOnce(&mut SimulatedProcess) -> T) -> T {
        self.with(|core| body(&mut core.processes[process]))
    }

    pub(in crate::testing) fn pid_of(&self, process: usize) -> Pid {
        self.with(|core| core.pid_of(process))
    }

    /// Returns how a process has ended.
    pub(in crate::testing) fn ended(&self, process: usize) -> Option<&Exit> {
        self.ended.get(process)?.as_ref()
    }

    /// Returns whether the callback of the process waits for other threads, and for nothing that
    /// happens in the node.
    pub(in crate::testing) fn waits_for_threads(&self, process: usize) -> bool {
        self.slot(process, |slot| slot.waits_for_threads)
    }

    /// Returns whether the process handles no event.
    pub(in crate::testing) fn is_idle(&self, process: usize) -> bool {
        self.slot(process, |slot| slot.is_idle)
    }

    pub(in crate::testing) fn chosen(&self, process: usize) -> Option<Term> {
        self.slot(process, |slot| slot.chosen.clone())
    }

    pub(in crate::testing) fn take_state(&self, process: usize) -> Option<Box<dyn Any + Send>> {
        self.slot(process, |slot| slot.state.take())
    }

    pub(in crate::testing) fn put_state(&self, process: usize, state: Option<Box<dyn Any + Send>>) {
        self.slot(process, |slot| slot.state = state);
    }

    pub(in crate::testing) fn send(&self, to: usize, message: Term) {
        self.with(|core| core.send(None, to, Signal::Message(message)));
    }

    /// Sends an exit signal: `exit(Pid, Reason)`.
    pub(in crate::testing) fn exit(&self, to: usize, from: &Pid, reason: Term) {
        let signal = Signal::Exit {
            from: from.clone(),
            reason,
            is_link: false,
        };
        self.with(|core| core.send(None, to, signal));
    }

    /// Ends the process that a monitor of this one refers to. Returns whether the monitor exists.
    pub(in crate::testing) fn down(&self, to: usize, monitor: &Reference, reason: Term) -> bool {
        let monitored = self.slot(to, |slot| {
            let mut monitors = slot.monitors.iter();
            let found = monitors.find(|(it, _)| it == monitor)?;
            Some(found.1.clone())
        });
        let Some(monitored) = monitored else {
            return false;
        };
        let signal = Signal::Down {
            monitor: monitor.clone(),
            object: super::own::object_of(&monitored),
            reason,
        };
        self.with(|core| core.send(None, to, signal));
        true
    }

    /// Advances the time, without letting a timer fire.
    pub(in crate::testing) fn set_now(&self, now: Duration) {
        self.with(|core| core.timers.set_now(now));
    }
}
