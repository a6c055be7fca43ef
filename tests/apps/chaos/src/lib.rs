//! Servers that are killed, panic and exit while they await, for the live tests and
//! `cargo xtask soak`.
#![forbid(unsafe_code)]

pub mod brood;
pub mod clerk;
pub mod living;
pub mod stroot;
pub mod victim;
pub mod walk;

/// With this allocator, `erlang:memory/0` shows leaks.
#[global_allocator]
static ALLOCATOR: otp_bridge::VmAllocator = otp_bridge::VmAllocator;

otp_bridge::application!();
