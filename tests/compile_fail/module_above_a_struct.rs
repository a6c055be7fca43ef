//! A struct instead of a module.
use otp_bridge_novm as _;

#[otp_bridge::module("geometry")]
pub struct Geometry;

fn main() {}
