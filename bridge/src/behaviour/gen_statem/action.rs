//! Constructors for actions whose tuples alone would not give the compiler enough types.

use super::{
    Action, ActionOrList, EnterAction, EnterActionOrList, EventType, GenericTimeout, ReplyAction,
    TimeoutAction, TimeoutCancelAction,
};
use crate::runtime::Caller;
use crate::{Term, ToTerm, atoms};

/// `{reply, From, Reply}`, with a reply of the type that the caller expects.
pub fn reply<Reply: ToTerm>(caller: Caller<Reply>, reply: Reply) -> ReplyAction {
    (atoms::reply, caller, reply).into()
}

/// `{next_event, EventType, EventContent}`: inserts an event before all events in the queue.
pub fn next_event(event_type: impl Into<EventType>, content: impl ToTerm) -> Action {
    (atoms::next_event, event_type, content).into()
}

/// `{{timeout, Name}, Time, EventContent}`: starts the timeout with this name.
pub fn timeout_named(
    name: impl ToTerm,
    time: impl Into<GenericTimeout>,
    content: impl ToTerm,
) -> TimeoutAction {
    let name = (atoms::timeout, Term::of(&name));
    TimeoutAction::TimeoutName(name, time.into(), Term::of(&content))
}

/// `{{timeout, Name}, cancel}`: stops the timeout with this name.
pub fn cancel_timeout(name: impl ToTerm) -> TimeoutAction {
    let name = (atoms::timeout, Term::of(&name));
    TimeoutCancelAction::from((name, atoms::cancel)).into()
}

/// Lists of actions of one kind, such as `vec![reply(one, true), reply(other, false)]`.
macro_rules! lists {
    ($($list:ident of $action:ident: $($of:ident)+;)+) => {$($(
        impl From<Vec<$of>> for $list {
            fn from(actions: Vec<$of>) -> Self {
                let actions: Vec<$action> = actions.into_iter().map(Into::into).collect();
                actions.into()
            }
        }
    )+)+};
}

lists! {
    ActionOrList of Action: EnterAction TimeoutAction ReplyAction;
    EnterActionOrList of EnterAction: TimeoutAction ReplyAction;
}
