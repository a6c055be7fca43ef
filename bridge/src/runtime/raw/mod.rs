//! What is `unsafe` in running callbacks: a process's cell with its slots, the context with the call that it belongs to,
//! wakers, and arguments that borrow from a call's terms.
//!
//! Called from outside: by whatever runs callbacks. It knows where a callback's data lies and who may reach it, but not
//! what a callback does.

pub(super) mod cell;
pub(super) mod context;
pub(super) mod frame;
pub(super) mod future_slot;
pub(super) mod kept_cell;
pub(super) mod lent;
pub(super) mod outbox;
pub(super) mod outcome;
pub(super) mod state_slot;
pub(super) mod unencoded;
pub(super) mod wake;
