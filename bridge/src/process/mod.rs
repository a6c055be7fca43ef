//! What a callback can do in its process: await operations, send messages, yield.

mod arguments;
mod cx;
pub mod functions;
mod join;
mod long_work;
mod name;
mod operations;
mod send;
mod sender;
mod target;
mod timeout;
#[cfg(feature = "tokio")]
mod tokio;

pub use arguments::Arguments;
pub use futures_util::future::{join_all, try_join_all};
pub use join::race;
pub use long_work::Politely;
pub use name::Name;
pub(crate) use operations::{Apply, Sleep, apply};
pub use sender::Sender;
pub use target::{Destination, Target};
pub use timeout::Elapsed;
pub(crate) use timeout::Within;
