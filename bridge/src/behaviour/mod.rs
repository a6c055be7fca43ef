//! What each behaviour has beyond its generated shapes: shorthands for writing and calling it.

pub mod application;
pub mod gen_event;
pub mod gen_server;
pub mod gen_statem;
pub mod supervisor;
pub mod supervisor_bridge;

mod group;
mod later;
mod names;
mod start;

pub use group::{Group, GroupMonitor};
pub use start::{DebugOption, SpawnOption, StartOptions};

impl From<crate::atoms::infinity> for crate::Timeout {
    fn from(_: crate::atoms::infinity) -> Self {
        crate::Timeout::Infinity
    }
}
