//! Decodes and encodes terms of generated types, for the live tests.

#[path = "../../../expectations/rust/mod.rs"]
pub mod rust;
pub mod stroot;
pub mod traveller;
#[path = "../../../expectations/trips.rs"]
pub mod trips;

otp_bridge::application!();
