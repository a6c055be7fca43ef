//! A counter that sells postage. What a parcel costs, an Erlang application says:
//! `examples/tariff`.
//!
//! `cargo otp run -- 1200 abroad`
//!
//! Its functions and behaviours are in `src/generated`, which `cargo otp build` writes
//! (docs/dependencies.md).

pub mod clerk;
pub mod generated;
pub mod loyalty;
pub mod stroot;

#[cfg(test)]
use otp_bridge_novm as _;

otp_bridge::application!();
