//! Tasks inside processes, for the live tests.
#![forbid(unsafe_code)]

pub mod bell;
pub mod client;
pub mod exchange;
pub mod hoard;
pub mod lamp;
pub mod machine;
pub mod owner;
pub mod ownership;
pub mod plain;
pub mod scopes;
pub mod stroot;
pub mod ticker;
pub mod worker;
pub mod workers;

/// With this allocator, Erlang knows the memory of tasks.
#[global_allocator]
static ALLOCATOR: otp_bridge::VmAllocator = otp_bridge::VmAllocator;

otp_bridge::application!();
