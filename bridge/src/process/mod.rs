//! Processes: their names, messages, signals and flags, and other nodes.
//!
//! The most frequent operations of a callback are methods of [`Cx`](crate::Cx) itself. Others are
//! in traits that the preludes of all behaviours import: [`Signals`], [`Nodes`], [`SpawnProcess`],
//! and those of [`time`](crate::time) and [`task`](crate::task).

mod arguments;
mod at_once;
mod cx;
mod env;
mod flags;
#[doc(hidden)]
pub mod functions;
mod join;
mod listener;
mod long_work;
mod name;
mod nodes;
mod operations;
mod posix;
mod receive;
mod resource;
mod send;
mod sender;
mod signals;
mod spawn;
mod subscriber;
mod target;
#[cfg(feature = "tokio")]
mod tokio;

pub use crate::runtime::{Await, Class, ExitKind, ExitOf, Ongoing, OrExit};
pub use arguments::Arguments;
pub(crate) use at_once::{AtOnce, at_once};
pub use cx::CallbackContext;
pub use flags::{MessageQueueData, ProcessFlag, ProcessPriority};
pub use long_work::Yielding;
pub use name::{Name, RegisteredName};
#[doc(hidden)]
pub use name::{Named, NoProcess};
pub use nodes::Nodes;
#[doc(hidden)]
pub use nodes::OnNode;
pub(crate) use operations::{Apply, SleepOperation, apply, milliseconds};
pub(crate) use receive::Receive;
pub use receive::Received;
pub use resource::{Monitors, ResourceMonitor};
pub use sender::Sender;
pub use signals::{Alias, Monitor, Signals};
pub use spawn::{InProcess, SpawnProcess};
pub use subscriber::{Subscriber, UnknownProcess};
pub use target::{Anybody, Destination, RootSupervisor, SentTo, Target};

pub use join::race;
