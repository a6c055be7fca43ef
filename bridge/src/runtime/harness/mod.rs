//! Runs a clause that was chosen: polls its future, runs the tasks of its process beside it, and
//! answers the VM.
//!
//! Called from outside: by `invocation`, for a clause whose arguments fit, and by the NIFs by which
//! a callback goes on. It does not know how a clause is found.

pub(super) mod ending;
pub(super) mod function;
pub(super) mod returned;
pub(super) mod running;
pub(super) mod spawned;
pub(super) mod tasks;
pub(super) mod work;
