//! Types with serde's traits as requests, replies and states, for the live tests.
#![forbid(unsafe_code)]

pub mod depot;
pub mod stroot;

otp_bridge::application!();
