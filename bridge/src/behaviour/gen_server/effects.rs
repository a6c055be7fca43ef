//! Return values of a server that trigger another callback: `{continue, Continue}` and timeouts.

use std::time::Duration;

use super::Server;
use super::taken::{Takes, TakesAtom, TakesMessage};
use crate::behaviour::later::subscribers;
use crate::runtime::effects;
use crate::{Sender, Timeout, atoms};

/// One marker type per atom of a tuple, and per method of the context.
#[allow(non_camel_case_types, missing_docs)]
pub mod key {
    pub use crate::behaviour::later::key::*;

    pub struct continue_;
    pub struct ok;
    pub struct reply;
    pub struct noreply;
    pub struct ok_with;
    pub struct reply_with;
    pub struct noreply_with;
    pub struct send_after;
    pub struct send_interval;
    pub struct sender;
    pub struct subscriber;
}

effects! {
    send_after: [M] (M,) => check [TakesMessage<M>];
    send_interval: [M] (M,) => check [TakesMessage<M>];
    sender: [M] Sender<M> => check [TakesMessage<M>];
    continue_: [C] (atoms::continue_, C) => check [Takes<C>];
    ok: [S] (atoms::ok, S, Duration) => check [TakesAtom<true>];
    ok: [S] (atoms::ok, S, Timeout) => check [TakesAtom<true>];
    reply: [R] (atoms::reply, R, Duration) => check [TakesAtom<true>];
    reply: [R] (atoms::reply, R, Timeout) => check [TakesAtom<true>];
    noreply: [] (atoms::noreply, Duration) => check [TakesAtom<true>];
    noreply: [] (atoms::noreply, Timeout) => check [TakesAtom<true>];
    ok_with: [S] (S, Duration) => check [TakesAtom<true>];
    ok_with: [S] (S, Timeout) => check [TakesAtom<true>];
    reply_with: [R] (R, Duration) => check [TakesAtom<true>];
    reply_with: [R] (R, Timeout) => check [TakesAtom<true>];
    noreply_with: [] (Duration,) => check [TakesAtom<true>];
    noreply_with: [] (Timeout,) => check [TakesAtom<true>];
}

subscribers!(Server);
