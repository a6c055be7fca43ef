//! Everything that a `gen_server` can do, for the live tests.

pub mod abyss;
pub mod deep;
pub mod echo;
pub mod hazard;
pub mod lever;
pub mod probe;
pub mod stroot;

otp_bridge::application!();
