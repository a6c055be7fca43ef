//! Lightweight tasks: many futures in one process.
//!
//! ```text
//! a call of the process ── executor.run ──▶ queue ──▶ task.poll ──▶ the user's future
//!                             │   ▲                                      │ waits
//!                             │   └── wake: slot into the queue ◀── waiter (channels, timers, handles)
//!                             └── inbox ◀── waker's clones, handles: other threads
//!
//! slab: slots (8 bytes): a pointer, or the next free slot
//!         └─▶ task: a piece of the pool: header (64 bytes), then the future or its output
//!               └─▶ the next one in the queue
//! ```
//!
//! This module knows nothing about Erlang. `runtime` runs the tasks in calls of their process, and
//! `task` has the public interface. docs/adr/0017 explains why this is sound without `!Send`
//! futures and without locks.

mod executor;
mod raw;
mod sharing;
#[cfg(test)]
mod tests;
mod timers;

pub use sharing::channel::Refused;
pub use sharing::local_cell::{LocalCell, NotNow};

pub(crate) use executor::claim::Held;
pub(crate) use executor::clock::{Long, Turn};
pub(crate) use executor::closing::Closed;
#[cfg(feature = "net")]
pub(crate) use executor::events::Events;
pub(crate) use executor::local::{FailedTask, Local};
pub(crate) use executor::{Executor, Spawned};
pub(crate) use raw::slab::TaskId;
pub(crate) use raw::task::{TaskFailure, TaskOutput};
#[cfg(feature = "net")]
pub(crate) use raw::waiter::Waiter;
pub(crate) use sharing::channel::{Channel, ChannelAddress, TryReceived};
pub(crate) use sharing::handle::Handle;
pub(crate) use sharing::sleep::Pause;
