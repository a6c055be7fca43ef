//! What a callback asks of its own process and of others: operations that it awaits, replies, and
//! what is done in calls of other processes.
//!
//! Called from outside: by `process`, which has what users call. It knows the context and the
//! exchange, but not who polls the callback.

pub(super) mod caller;
pub(super) mod deferred_send;
pub(super) mod ignored;
mod inbound;
pub(super) mod operation;
