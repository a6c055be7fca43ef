//! Messages that a handler sends to its own process later.

use super::taken::TakesMessage;
use crate::runtime::effects;

/// Methods of the context.
#[allow(non_camel_case_types, missing_docs)]
pub mod key {
    pub use crate::behaviour::later::key::*;

    pub struct send_after;
    pub struct send_interval;
}

effects! {
    send_after: [M] (M,) => check [TakesMessage<M>];
    send_interval: [M] (M,) => check [TakesMessage<M>];
}
