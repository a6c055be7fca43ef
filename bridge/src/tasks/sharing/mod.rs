//! What tasks await, and have of each other: handles, channels, times, and values that they use in
//! turn.
//!
//! Called from outside: by `process`, which has what users call. It does not know who runs the
//! tasks.

mod addresses;
pub(super) mod channel;
pub(super) mod handle;
pub(super) mod local_cell;
pub(super) mod sleep;
