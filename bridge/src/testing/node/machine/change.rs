//! The return value of a state machine's callback, as its loop reads it.

use super::timeouts::{MachineEvent, NewTimeout, TimeoutKind, TimeoutStart};
use crate::Term;
use crate::atoms::normal;
use crate::testing::node::own::OwnProcess;
use crate::testing::node::{elements, is};

/// The changes that a callback has requested.
#[derive(Debug)]
pub(super) struct Change {
    /// The next state.
    pub(super) next: Term,
    /// Whether the state is entered (again) even if it stays unchanged.
    pub(super) repeats: bool,
    /// The reason why it stops.
    pub(super) stop: Option<Term>,
    /// Actions, or the replies of a machine that stops.
    pub(super) actions: Option<Term>,
}

impl Change {
    /// Returns the change after `init`: the first state is entered, too.
    pub(super) fn beginning(first: Term, actions: Option<Term>) -> Self {
        Change {
            next: first,
            repeats: true,
            stop: None,
            actions,
        }
    }

    /// Reads the return value of a callback in a state. `None` if it is not one of OTP's forms.
    pub(super) fn of(returned: &Term, current: &Term) -> Option<Self> {
        let parts = elements(returned);
        let (tag, rest) = match parts.split_first() {
            Some((tag, rest)) => (tag, rest),
            None => (returned, &[][..]),
        };
        let Term::Atom(tag) = tag else { return None };
        let mut change = Change {
            next: current.clone(),
            repeats: false,
            stop: None,
            actions: None,
        };
        match (tag.text(), rest) {
            ("next_state", [next, _, actions @ ..]) => {
                change.next = next.clone();
                change.actions = actions.first().cloned();
            }
            ("keep_state", [_, actions @ ..]) => change.actions = actions.first().cloned(),
            ("keep_state_and_data", actions) => change.actions = actions.first().cloned(),
            ("repeat_state", [_, actions @ ..]) | ("repeat_state_and_data", actions) => {
                change.repeats = true;
                change.actions = actions.first().cloned();
            }
            ("stop", []) => change.stop = Some(Term::of(&normal)),
            ("stop", [reason, ..]) => change.stop = Some(reason.clone()),
            ("stop_and_reply", [reason, replies, ..]) => {
                change.stop = Some(reason.clone());
                change.actions = Some(replies.clone());
            }
            _ => return None,
        }
        Some(change)
    }
}

/// The actions of a callback, and of the enter calls that follow it.
#[derive(Debug, Default)]
pub(super) struct Actions {
    pub(super) postpones: bool,
    pub(super) next_events: Vec<MachineEvent>,
    pub(super) timeouts: Vec<NewTimeout>,
}

impl Actions {
    /// Reads a list of actions, or one. Replies are sent at once. Returns false if one of them is
    /// not an action.
    pub(super) fn read(&mut self, actions: Option<&Term>, own: &OwnProcess) -> bool {
        match actions {
            None => true,
            Some(Term::List(actions)) => actions.iter().all(|action| self.one(action, own)),
            Some(action) => self.one(action, own),
        }
    }

    fn one(&mut self, action: &Term, own: &OwnProcess) -> bool {
        match elements(action) {
            [] if is(action, "postpone") => self.postpones = true,
            [] if is(action, "hibernate") => {}
            [tag, on] if is(tag, "postpone") => self.postpones = is(on, "true"),
            [tag, _] if is(tag, "hibernate") => {}
            [tag, client, reply] if is(tag, "reply") => own.reply(client, Ok(reply.clone())),
            [tag, kind, content] if is(tag, "next_event") => self.next_events.push(MachineEvent {
                kind: kind.clone(),
                content: content.clone(),
            }),
            parts => match timeout(action, parts) {
                Some(timeout) => self.timeouts.push(timeout),
                None => return false,
            },
        }
        true
    }
}

/// Reads an action that starts, changes or cancels a timeout.
fn timeout(action: &Term, parts: &[Term]) -> Option<NewTimeout> {
    let named = |kind: &Term| TimeoutKind::of(kind);
    let (kind, start) = match parts {
        // The event timeout's content is its time.
        [] => (
            TimeoutKind::event(),
            TimeoutStart::after(action, action, None)?,
        ),
        [kind, tag] if is(tag, "cancel") => (named(kind)?, TimeoutStart::Cancel),
        [kind, tag, content] if is(tag, "update") => {
            (named(kind)?, TimeoutStart::Update(content.clone()))
        }
        [kind, time, content] => (named(kind)?, TimeoutStart::after(time, content, None)?),
        [kind, time, content, options] => (
            named(kind)?,
            TimeoutStart::after(time, content, Some(options))?,
        ),
        _ => return None,
    };
    Some(NewTimeout { kind, start })
}
