//! Methods that send a message to the handler's own process later, and the check that the handler
//! has a clause for it.

use std::marker::PhantomData;

use super::taken::TakesMessage;
use crate::behaviour::later::subscribers;
use crate::process::{Sender, SentTo};
use crate::runtime::effects;

/// One marker type per method of the context.
#[allow(non_camel_case_types, missing_docs)]
pub mod key {
    pub use crate::behaviour::later::key::*;

    pub struct send_after;
    pub struct send_interval;
    pub struct sender;
    pub struct subscriber;
}

effects! {
    send_after: [M] (M,) => check [TakesMessage<M>];
    send_interval: [M] (M,) => check [TakesMessage<M>];
    sender: [M] Sender<M> => check [TakesMessage<M>];
}

subscribers!(EventHandler);

/// A process that runs the handler `T`.
#[derive(Debug)]
pub struct EventHandler<T>(PhantomData<T>);

impl<T: TakesMessage<M>, M> SentTo<EventHandler<T>> for M {}
