//! Behaviours besides `gen_server`, for the live tests.

pub mod door;
pub mod echo;
pub mod generated;
pub mod light;
pub mod outside;
pub mod platform;
pub mod quiet;
pub mod stroot;
pub mod summer;
pub mod tally;
pub mod whole;

otp_bridge::application!();
