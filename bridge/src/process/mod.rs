//! What a callback can do in its process: await operations, send messages, yield.

mod arguments;
mod at_once;
mod channels;
mod cx;
mod env;
mod flags;
pub mod functions;
mod join;
mod long_work;
mod name;
mod nodes;
mod operations;
mod receive;
mod resource;
mod send;
mod sender;
mod signals;
mod sleep;
mod spawn;
mod target;
mod tasks;
mod timeout;
mod timers;
#[cfg(feature = "tokio")]
mod tokio;

pub use arguments::Arguments;
pub use channels::{Address, Broadcast, Mailbox, Promise, Promised, Sent};
pub use flags::{MessageQueueData, ProcessFlag, ProcessPriority};
pub use futures_util::future::{join_all, try_join_all};
pub use join::race;
pub use long_work::Politely;
pub use name::Name;
pub use nodes::OnNode;
pub(crate) use operations::{Apply, Sleep, apply};
pub(crate) use receive::Receive;
pub use resource::{Monitors, ResourceMonitor};
pub use sender::Sender;
pub use signals::{Alias, Monitor};
pub use sleep::Ticks;
pub use spawn::InProcess;
pub use target::{Destination, Target};
pub use tasks::JoinHandle;
pub use timeout::Elapsed;
pub(crate) use timeout::Within;
pub use timers::{Interval, Timer};
