//! Hand-written parts of each behaviour, beside its generated shapes: shorthands for writing and
//! calling it.

pub mod application;
#[cfg(feature = "json")]
mod callers;
pub mod gen_event;
pub mod gen_server;
pub mod gen_statem;
mod later;
mod names;
pub mod pg;
pub mod prelude;
pub mod registry;
pub mod start;
pub mod supervisor;
pub mod supervisor_bridge;
pub mod table;

impl From<crate::atoms::infinity> for crate::Timeout {
    fn from(_: crate::atoms::infinity) -> Self {
        crate::Timeout::Infinity
    }
}
