//! What a callback can do in its process: await operations, send messages, yield.

mod arguments;
mod at_once;
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
mod spawn;
mod target;
mod timeout;
mod timers;
#[cfg(feature = "tokio")]
mod tokio;

pub use arguments::Arguments;
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
pub use spawn::Task;
pub use target::{Destination, Target};
pub use timeout::Elapsed;
pub(crate) use timeout::Within;
pub use timers::{Interval, Timer};
