//! Time: waiting, time limits, and timers that send messages.

mod backoff;
mod sleep;
mod timeout;
mod timers;

pub use backoff::Backoff;
pub use sleep::{Sleep, Ticks};
pub use timeout::{Elapsed, Within};
pub use timers::{Interval, Timer, Timers};
