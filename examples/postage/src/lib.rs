//! A counter that sells postage: an example of calling an Erlang dependency, `examples/tariff`,
//! from Rust.
//!
//! Start it with `cargo otp run -- 1200 abroad`.
//!
//! `src/generated` has the types of the dependency's functions and behaviours. `cargo otp build`
//! writes it (docs/dependencies.md).

pub mod clerk;
pub mod generated;
pub mod loyalty;
pub mod stroot;

#[cfg(test)]
use otp_bridge_novm as _;

otp_bridge::application!();
