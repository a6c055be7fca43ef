//! Erlang modules whose functions are Rust, and resources, for the live tests.
#![forbid(unsafe_code)]

pub mod areas;
pub mod elixir;
pub mod index;
pub mod stroot;
pub mod till;

otp_bridge::application!();
