//! The memory of tasks and of what they share: pieces of a pool, each task's header and future, the
//! slab and the run queue that refer to them, and who waits for a task.
//!
//! Called from outside: by `executor` and `sharing`. It knows what lies where, but not when a task
//! has its turn.

pub(super) mod pool;
pub(super) mod queue;
pub(super) mod slab;
pub(super) mod task;
pub(super) mod waiter;
