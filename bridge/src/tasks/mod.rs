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
//! Nothing here knows Erlang. `runtime` runs the tasks in calls of their process, and `process` has what users call.
//! Why it is safe without `!Send` futures and without locks: docs/adr/0017.

mod channel;
mod clock;
mod closing;
mod executor;
mod handle;
mod inbox;
mod local;
mod local_cell;
mod owned;
mod pool;
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

pub(crate) use channel::{Channel, Received, Sender};
pub(crate) use clock::{Long, Turn};
pub(crate) use closing::{Closed, Held};
pub(crate) use executor::{Executor, Spawned};
pub(crate) use handle::Handle;
pub(crate) use local::{Failed, Local};
pub(crate) use slab::TaskId;
pub(crate) use sleep::Pause;
pub(crate) use task::{Ending, Failure};
