//! Servers that are killed, panic and exit while they await: for the live tests and `cargo xtask soak`.
#![forbid(unsafe_code)]

pub mod brood;
pub mod clerk;
pub mod living;
pub mod stroot;
pub mod victim;
pub mod walk;

otp_bridge::application!();
