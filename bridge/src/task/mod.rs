//! Lightweight tasks: futures that run in the process of the callback that has started them, and
//! the values and channels that they share. `docs/tasks.md` is their reference.
//!
//! | what | how |
//! |---|---|
//! | a task | [`spawn_task`](Tasks::spawn_task), [`JoinHandle`] |
//! | tasks that end together | [`scope`](Tasks::scope), [`Scope`] |
//! | messages between tasks | [`channel`](Tasks::channel), [`ChannelSender`], [`ChannelReceiver`] |
//! | … from other processes of the application | [`ChannelSender::shared`], [`SharedSender`] |
//! | … from any process, as terms | [`ChannelSender::open`], [`OpenSender`] |
//! | one message | [`oneshot`](Tasks::oneshot) |
//! | messages for all who subscribe | [`broadcast`](Tasks::broadcast), [`Broadcast`] |
//! | a value that tasks share | [`local`](Tasks::local), [`LocalCell`] |
//! | tasks over all cores | [`TaskPool`], [`BoundedPool`] |
//! | … for threads that are not the VM's | [`client`](Tasks::client), [`Client`] |

mod broadcast;
mod channel;
mod client;
mod context;
mod drop_tasks;
mod handle;
mod oneshot;
mod open;
mod pool;
mod scope;
mod shared;

pub use crate::tasks::{LocalCell, NotNow, Refused};
pub use broadcast::{Broadcast, Delivery};
pub use channel::{ChannelReceiver, ChannelSender, TryReceiveError, UNBOUNDED};
pub use client::{Client, ClientCall};
pub use context::Tasks;
pub use handle::JoinHandle;
pub use oneshot::{OneshotReceiver, OneshotSender};
pub use open::OpenSender;
#[doc(hidden)]
pub use pool::PoolEntry;
pub use pool::{BoundedPool, PoolHandle, PoolLimit, PoolMembership, PoolRefused, TaskPool};
pub use scope::Scope;
pub use shared::SharedSender;
