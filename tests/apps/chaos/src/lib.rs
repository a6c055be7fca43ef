//! Servers that are killed, panic and exit while they await: for the live tests and
//! `cargo xtask soak`.
#![forbid(unsafe_code)]

pub mod brood;
pub mod clerk;
pub mod living;
pub mod stroot;
pub mod victim;
pub mod walk;

/// What is lost is seen in `erlang:memory/0`.
#[global_allocator]
static ALLOCATOR: otp_bridge::VmAllocator = otp_bridge::VmAllocator;

otp_bridge::application!();
