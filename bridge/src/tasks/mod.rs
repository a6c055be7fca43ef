//! Lightweight tasks: many futures in one process.
//!
//! ```text
//! a call of the process ── executor.run ──▶ queue ──▶ task.poll ──▶ the user's future
//!                             │   ▲                                      │ waits
//!                             │   └── wake: slot into the queue ◀── waiter (channels, timers, handles)
//!                             └── inbox ◀── waker's clones, handles: other threads
//!
//! slab: chunks of slots (32 bytes): serial number, link of the queue, flags
//!         └─▶ task: one allocation: header (48 bytes), then the future or its output
//! ```
//!
//! Nothing here knows Erlang. `runtime` runs the tasks in calls of their process, and `process` has what users call.
//! Why it is safe without `!Send` futures and without locks: docs/adr/0017.

mod channel;
mod clock;
mod executor;
mod handle;
mod inbox;
mod local;
mod local_cell;
mod owned;
mod queue;
mod slab;
mod sleep;
mod status;
mod task;
#[cfg(test)]
mod tests;
mod waiter;
mod waker;
mod wheel;

pub use channel::Refused;
pub use local_cell::{LocalCell, NotNow};

pub(crate) use channel::{Channel, Received};
pub(crate) use clock::{Long, Turn};
pub(crate) use executor::Executor;
pub(crate) use handle::Handle;
pub(crate) use local::{Failed, Local};
pub(crate) use slab::TaskId;
pub(crate) use sleep::Pause;
pub(crate) use task::{Ending, Failure};
