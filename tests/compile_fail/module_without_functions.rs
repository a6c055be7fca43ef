//! A module whose functions lack `pub`.
use otp_bridge_novm as _;

#[otp_bridge::module("geometry")]
pub mod functions {
    fn area(side: f64) -> f64 {
        side * side
    }
}

fn main() {}
