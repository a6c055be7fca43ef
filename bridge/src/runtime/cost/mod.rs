//! What calls cost: how long they take, for how long one runs before it gives way, and which of
//! them are reported.
//!
//! Called from outside: at the beginning and the end of each call of the VM. It knows a clause by
//! its name, and nothing of what the call does.

pub(super) mod accounting;
pub(super) mod call_clock;
pub(super) mod dirty_pool;
pub(super) mod long_callbacks;
pub(super) mod slice;
pub(super) mod slot;
pub(super) mod under_way;
pub(super) mod watchdog;
