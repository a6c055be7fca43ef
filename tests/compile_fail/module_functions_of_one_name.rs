//! Two functions that are the same one in Erlang.
use otp_bridge_novm as _;

#[otp_bridge::module("geometry")]
pub mod functions {
    pub fn area(side: f64) -> f64 {
        side * side
    }

    #[erlang(name = "area")]
    pub fn area_of_circle(radius: f64) -> f64 {
        radius * radius * 3.0
    }
}

fn main() {}
