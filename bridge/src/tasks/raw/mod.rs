//! The memory of tasks and of the data that they share: pieces of a pool, each task's header and
//! future, the slab and the run queue that refer to them, and the waiters.
//!
//! Its callers are `executor` and `sharing`. It knows the memory layout, but not when a task has
//! its turn.

pub(super) mod pool;
pub(super) mod queue;
pub(super) mod slab;
pub(super) mod task;
pub(super) mod waiter;
