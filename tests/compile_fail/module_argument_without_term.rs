//! An argument whose type is not a term.
use otp_bridge_novm as _;

pub struct Shape {
    pub side: f64,
}

#[otp_bridge::module("geometry")]
pub mod functions {
    use super::Shape;

    pub fn area(shape: &Shape) -> f64 {
        shape.side * shape.side
    }
}

fn main() {}
