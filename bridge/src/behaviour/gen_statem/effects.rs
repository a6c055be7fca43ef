//! Return values of a state machine that trigger an event: timeouts and
//! `{next_event, EventType, EventContent}`.

use super::Machine;
use super::taken::Takes;
use crate::behaviour::later::subscribers;
use crate::runtime::{Caller, effects};
use crate::{Sender, atoms};

/// One marker type per atom of a tuple, and per method of the context.
#[allow(non_camel_case_types, missing_docs)]
pub mod key {
    pub use crate::behaviour::later::key::*;

    pub struct state_timeout;
    pub struct timeout;
    pub struct next_event;
    pub struct timeout_named;
    pub struct send_after;
    pub struct send_interval;
    pub struct sender;
    pub struct subscriber;
}

effects! {
    send_after: [M] (M,) => check [Takes<atoms::info, M>];
    send_interval: [M] (M,) => check [Takes<atoms::info, M>];
    sender: [M] Sender<M> => check [Takes<atoms::info, M>];
    state_timeout: [W, C] (atoms::state_timeout, W, C) => check [Takes<atoms::state_timeout, C>];
    state_timeout: [W, C, O] (atoms::state_timeout, W, C, O) => check [Takes<atoms::state_timeout, C>];
    timeout: [W, C] (atoms::timeout, W, C) => check [Takes<atoms::timeout, C>];
    timeout: [W, C, O] (atoms::timeout, W, C, O) => check [Takes<atoms::timeout, C>];
    timeout: [N, W, C] ((atoms::timeout, N), W, C) => check [Takes<(atoms::timeout, N), C>];
    timeout: [N, W, C, O] ((atoms::timeout, N), W, C, O) => check [Takes<(atoms::timeout, N), C>];
    timeout_named: [N, W, C] (N, W, C) => check [Takes<(atoms::timeout, N), C>];
    next_event: [C] (atoms::next_event, atoms::internal, C) => check [Takes<atoms::internal, C>];
    next_event: [C] (atoms::internal, C) => check [Takes<atoms::internal, C>];
    next_event: [C] (atoms::next_event, atoms::cast, C) => check [Takes<atoms::cast, C>];
    next_event: [C] (atoms::cast, C) => check [Takes<atoms::cast, C>];
    next_event: [C] (atoms::next_event, atoms::info, C) => check [Takes<atoms::info, C>];
    next_event: [C] (atoms::info, C) => check [Takes<atoms::info, C>];
    next_event: [C] (atoms::next_event, atoms::timeout, C) => check [Takes<atoms::timeout, C>];
    next_event: [C] (atoms::timeout, C) => check [Takes<atoms::timeout, C>];
    next_event: [C] (atoms::next_event, atoms::state_timeout, C) => check [Takes<atoms::state_timeout, C>];
    next_event: [C] (atoms::state_timeout, C) => check [Takes<atoms::state_timeout, C>];
    next_event: [N, C] (atoms::next_event, (atoms::timeout, N), C) => check [Takes<(atoms::timeout, N), C>];
    next_event: [N, C] ((atoms::timeout, N), C) => check [Takes<(atoms::timeout, N), C>];
    next_event: [R, C] (atoms::next_event, (atoms::call, Caller<R>), C) => check [Takes<(atoms::call, Caller<R>), C>];
    next_event: [R, C] ((atoms::call, Caller<R>), C) => check [Takes<(atoms::call, Caller<R>), C>];
}

subscribers!(Machine);
