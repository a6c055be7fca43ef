//! Tasks inside processes: for the live tests.
#![forbid(unsafe_code)]

pub mod exchange;
pub mod owner;
pub mod stroot;

otp_bridge::application!();
