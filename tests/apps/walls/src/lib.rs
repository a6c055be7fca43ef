//! Servers in VMs of their own that crash in every way, for the live tests.
#![forbid(unsafe_code)]

pub mod decoder;
pub mod many;
pub mod stroot;

otp_bridge::application!();
