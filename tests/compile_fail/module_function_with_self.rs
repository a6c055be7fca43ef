//! A method instead of a function.
use otp_bridge_novm as _;

#[otp_bridge::module("geometry")]
pub mod functions {
    pub fn area(&self) -> f64 {
        1.0
    }
}

fn main() {}
