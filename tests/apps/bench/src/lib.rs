//! Servers to measure, each beside the same server in Erlang and some in C:
//! `cargo xtask bench bridge`.

pub mod asker;
pub mod bouncer;
pub mod burner;
pub mod counter;
pub mod pager;
pub mod parrot;
pub mod pauser;
pub mod sized;
pub mod store;
pub mod stroot;
pub mod thousand;

otp_bridge::application!();
