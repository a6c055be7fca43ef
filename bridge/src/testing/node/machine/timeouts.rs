//! The timeouts of a state machine: at most one of each kind.

use std::collections::VecDeque;

use crate::atoms::{state_timeout, timeout};
use crate::testing::node::own::{OwnProcess, milliseconds};
use crate::testing::node::timers::TimerEffect;
use crate::testing::node::{elements, is};
use crate::{Reference, Term};

/// An event: `EventType` and `EventContent`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MachineEvent {
    pub(super) kind: Term,
    pub(super) content: Term,
}

/// `timeout | {timeout, Name} | state_timeout`
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TimeoutKind(Term);

impl TimeoutKind {
    pub(super) fn event() -> Self {
        TimeoutKind(Term::of(&timeout))
    }

    fn state() -> Self {
        TimeoutKind(Term::of(&state_timeout))
    }

    pub(super) fn of(term: &Term) -> Option<Self> {
        let is_named = matches!(elements(term), [tag, _] if is(tag, "timeout"));
        let is_kind = is_named || is(term, "timeout") || is(term, "state_timeout");
        is_kind.then(|| TimeoutKind(term.clone()))
    }
}

/// The change of a timeout by an action.
#[derive(Debug, Clone)]
pub(super) enum TimeoutStart {
    /// Starts it: the time, whether it is a point of the process's time, and the content.
    After(Term, bool, Term),
    Cancel,
    /// Replaces the content; a timeout that does not run occurs at once.
    Update(Term),
}

impl TimeoutStart {
    /// Returns `None` if that is not a time.
    pub(super) fn after(time: &Term, content: &Term, options: Option<&Term>) -> Option<Self> {
        let is_time = matches!(time, Term::Integer(_)) || is(time, "infinity");
        let is_absolute = |option: &Term| matches!(elements(option), [_, on] if is(on, "true"));
        let is_absolute = match options {
            Some(Term::List(options)) => options.last().is_some_and(is_absolute),
            Some(option) => is_absolute(option),
            None => false,
        };
        is_time.then(|| TimeoutStart::After(time.clone(), is_absolute, content.clone()))
    }
}

/// An action's change of the timeout of a kind.
#[derive(Debug, Clone)]
pub(super) struct NewTimeout {
    pub(super) kind: TimeoutKind,
    pub(super) start: TimeoutStart,
}

#[derive(Debug)]
struct Running {
    kind: TimeoutKind,
    content: Term,
    /// `None` if its time is 0. Then it is not a timer, but an event after all queued ones.
    timer: Option<Reference>,
}

/// The running timeouts.
#[derive(Debug, Default)]
pub(super) struct Timeouts {
    running: Vec<Running>,
    /// Timeouts of time 0.
    zero: VecDeque<TimeoutKind>,
}

impl Timeouts {
    /// Applies the actions. If there are several for one kind, the last one counts.
    pub(super) fn start(&mut self, timeouts: Vec<NewTimeout>, own: &OwnProcess) {
        for (index, new) in timeouts.iter().enumerate() {
            let mut later = timeouts[index + 1..].iter();
            if later.any(|later| later.kind == new.kind) {
                continue;
            }
            let NewTimeout { kind, start } = new.clone();
            match start {
                TimeoutStart::Cancel => self.cancel(&kind, own),
                TimeoutStart::Update(content) => match self.find(&kind) {
                    Some(running) => running.content = content,
                    None => self.at_once(kind, content, own),
                },
                TimeoutStart::After(time, is_absolute, content) => {
                    self.after(kind, &time, is_absolute, content, own);
                }
            }
        }
    }

    fn after(
        &mut self,
        kind: TimeoutKind,
        time: &Term,
        is_absolute: bool,
        content: Term,
        own: &OwnProcess,
    ) {
        let Some(milliseconds) = milliseconds(time) else {
            match time {
                // A point of time that has passed.
                Term::Integer(_) => self.at_once(kind, content, own),
                _ => self.cancel(&kind, own),
            }
            return;
        };
        let left = if is_absolute {
            milliseconds.saturating_sub(own.now())
        } else {
            milliseconds
        };
        if left.is_zero() && !is_absolute {
            return self.at_once(kind, content, own);
        }
        self.cancel(&kind, own);
        let timer = own.reference();
        let message = Term::of(&(timeout, timer.clone(), kind.0.clone()));
        let effect = TimerEffect::Message(Term::of(&own.pid()), message);
        own.start_timer(timer.clone(), left, effect);
        self.running.push(Running {
            kind,
            content,
            timer: Some(timer),
        });
    }

    fn at_once(&mut self, kind: TimeoutKind, content: Term, own: &OwnProcess) {
        self.cancel(&kind, own);
        self.zero.push_back(kind.clone());
        self.running.push(Running {
            kind,
            content,
            timer: None,
        });
    }

    fn find(&mut self, kind: &TimeoutKind) -> Option<&mut Running> {
        self.running
            .iter_mut()
            .find(|running| running.kind == *kind)
    }

    fn cancel(&mut self, kind: &TimeoutKind, own: &OwnProcess) {
        let running = self.running.iter();
        let Some(index) = running.clone().position(|it| it.kind == *kind) else {
            return;
        };
        match self.running.remove(index).timer {
            Some(timer) => {
                let _left = own.cancel_timer(&timer);
            }
            None => self.zero.retain(|zero| zero != kind),
        }
    }

    pub(super) fn cancel_event_timeout(&mut self, own: &OwnProcess) {
        self.cancel(&TimeoutKind::event(), own);
    }

    pub(super) fn cancel_state_timeout(&mut self, own: &OwnProcess) {
        self.cancel(&TimeoutKind::state(), own);
    }

    /// Takes the event of the first timeout of time 0.
    pub(super) fn take_zero(&mut self) -> Option<MachineEvent> {
        let kind = self.zero.pop_front()?;
        let index = self.running.iter().position(|it| it.kind == kind)?;
        Some(self.running.remove(index).into_event())
    }

    /// Takes the event of the timeout whose timer has sent this message.
    pub(super) fn take_due(&mut self, message: &Term) -> Option<MachineEvent> {
        let [tag, Term::Reference(timer), _] = elements(message) else {
            return None;
        };
        let is_it = |running: &Running| running.timer.as_ref() == Some(timer);
        let index = self.running.iter().position(is_it);
        let index = index.filter(|_| is(tag, "timeout"))?;
        Some(self.running.remove(index).into_event())
    }
}

impl Running {
    fn into_event(self) -> MachineEvent {
        MachineEvent {
            kind: self.kind.0,
            content: self.content,
        }
    }
}
