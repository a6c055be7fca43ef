//! A library of rustler functions that became an application: docs/from_rustler.md.

pub mod catalogue;
pub mod fleet;
pub mod geometry;
pub mod natives;
pub mod stroot;

otp_bridge::nifs!("Elixir.Plane", load = natives::load);
otp_bridge::application!();
