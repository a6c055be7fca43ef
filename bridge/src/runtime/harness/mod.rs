//! Runs the chosen clause: polls its future, runs the tasks of its process beside it, and answers
//! the VM.
//!
//! Its callers are `invocation`, for a clause that matches the arguments, and the NIFs that resume
//! a callback. It does not know how a clause is found.

pub(super) mod ending;
pub(super) mod function;
pub(super) mod returned;
pub(super) mod running;
pub(super) mod spawned;
pub(super) mod tasks;
pub(super) mod work;
