//! Servers to measure, each beside the same in Erlang and some in C: `cargo xtask bench bridge`.

pub mod bouncer;
pub mod counter;
pub mod stroot;

otp_bridge::application!();
