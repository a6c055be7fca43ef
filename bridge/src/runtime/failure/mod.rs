//! Failures of callbacks: exceptions, panics, and callers that get no reply, with the reports of
//! each.
//!
//! Its callers are all code that ends a callback, and users, who return an `Exit`. It knows which
//! clause ran, but neither cells nor futures.

pub(super) mod backtraces;
pub(super) mod bounded;
pub(super) mod builds;
pub(super) mod cut;
pub(super) mod exit;
pub(super) mod exit_kind;
mod exit_of_error;
pub(super) mod overflow;
pub(super) mod panics;
mod second_panic;
pub(super) mod source_location;
pub(super) mod unanswered;
