//! Signals on their way from one process to another.

use std::collections::VecDeque;

use crate::term::ImproperList;
use crate::{Pid, Reference, Term, atom};

/// A signal that a process sends to another one.
#[derive(Debug, Clone)]
pub(super) enum Signal {
    /// The first signal of a process: it runs.
    Start,
    Message(Term),
    /// The end of a linked process, or `exit(Pid, Reason)`.
    Exit {
        from: Pid,
        reason: Term,
        is_link: bool,
    },
    /// The end of a monitored process.
    Down {
        monitor: Reference,
        object: Term,
        reason: Term,
    },
}

/// The signals of one process to another one. They arrive in the order in which they were sent.
#[derive(Debug)]
pub(super) struct SignalChannel {
    pub(super) from: Option<usize>,
    pub(super) to: usize,
    /// Each with its number among all signals of the node.
    pub(super) signals: VecDeque<(u64, Signal)>,
}

/// The messages that a process waits for. All others can stay on their way.
#[derive(Debug, Clone, Default)]
pub(super) enum AwaitedMessages {
    #[default]
    Any,
    /// Replies with these references, and the ends of processes with these monitors.
    Replies(Vec<Reference>),
}

impl AwaitedMessages {
    /// Returns whether the process has to handle this signal now.
    pub(super) fn include(&self, signal: &Signal) -> bool {
        match (self, signal) {
            (_, Signal::Start | Signal::Exit { .. }) | (AwaitedMessages::Any, _) => true,
            (AwaitedMessages::Replies(replies), Signal::Down { monitor, .. }) => {
                replies.contains(monitor)
            }
            (AwaitedMessages::Replies(replies), Signal::Message(message)) => {
                reply_reference(message).is_some_and(|it| replies.contains(it))
            }
        }
    }
}

/// Returns the reference of `{[alias | Reference], Reply}`.
pub(super) fn reply_reference(message: &Term) -> Option<&Reference> {
    match message {
        Term::Tuple(elements) => match &**elements {
            [tag, _] => tag_reference(tag),
            _ => None,
        },
        _ => None,
    }
}

/// `[alias | Reference]`
pub(super) fn alias_tag(reference: &Reference) -> Term {
    ImproperList::term([Term::of(&atom!("alias"))], Term::of(reference))
}

/// Returns the reference of `[alias | Reference]`.
pub(super) fn tag_reference(tag: &Term) -> Option<&Reference> {
    match tag {
        Term::ImproperList(list) => match list.tail() {
            Term::Reference(reference) => Some(reference),
            _ => None,
        },
        _ => None,
    }
}
