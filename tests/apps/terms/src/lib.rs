//! Terms that pass through Rust and come back, for the live tests.

pub mod functions;
pub mod stroot;

otp_bridge::application!();
