//! Primitives of tasks: handles, channels, timers, and shared values.
//!
//! Its callers are `task`, which has the public interface, `time` and `net`. It does not know how
//! tasks are run.

mod addresses;
pub(super) mod channel;
pub(super) mod handle;
pub(super) mod local_cell;
pub(super) mod sleep;
