//! Rust between Elixir's supervisors, behaviours and structs, for the live tests.

pub mod counter;
pub mod discount;
pub mod generated;
pub mod protocols;
pub mod stroot;

otp_bridge::application!();
