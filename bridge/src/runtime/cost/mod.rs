//! The cost of calls: how long they take, how long one may run before it yields, and which of them
//! are reported.
//!
//! Its callers are the start and the end of each call of the VM. It knows a clause by its name
//! only.

pub(super) mod accounting;
pub(super) mod call_clock;
pub(super) mod dirty_pool;
pub(super) mod long_callbacks;
#[cfg(feature = "calls")]
pub(super) mod observer;
pub(super) mod slice;
pub(super) mod slot;
pub(super) mod under_way;
#[cfg(not(feature = "calls"))]
pub(super) mod unobserved;
pub(super) mod watchdog;

#[cfg(not(feature = "calls"))]
pub(super) use unobserved as observer;
