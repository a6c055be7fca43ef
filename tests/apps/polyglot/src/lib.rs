//! Rust below Elixir supervisors, with Elixir behaviours and structs, for the live tests.

pub mod counter;
pub mod discount;
pub mod generated;
pub mod protocols;
pub mod stroot;

otp_bridge::application!();
