//! A result whose type is not a term.
use otp_bridge_novm as _;

pub struct Shape {
    pub side: f64,
}

#[otp_bridge::module("geometry")]
pub mod functions {
    use super::Shape;

    pub fn square(side: f64) -> Shape {
        Shape { side }
    }
}

fn main() {}
