//! Requests of a callback to its own process and to others: operations that it awaits, replies, and
//! closures that run in calls of other processes.
//!
//! Its caller is `process`, which has the public interface. It knows the context and the exchange,
//! but not the code that polls the callback.

pub(super) mod caller;
pub(super) mod deferred_send;
pub(super) mod ignored;
mod inbound;
pub(super) mod operation;
