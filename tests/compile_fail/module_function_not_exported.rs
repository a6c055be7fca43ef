//! An attribute of an exported function above one that is not `pub`.
use otp_bridge_novm as _;

#[otp_bridge::module("geometry")]
pub mod functions {
    pub fn area(side: f64) -> f64 {
        side * side
    }

    #[dirty(cpu)]
    fn volume(side: f64) -> f64 {
        side * side * side
    }
}

fn main() {}
