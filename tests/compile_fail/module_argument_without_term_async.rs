//! An argument of an `async` function whose type is not a term.
use otp_bridge_novm as _;

pub struct Shape {
    pub side: f64,
}

#[otp_bridge::module("geometry")]
pub mod functions {
    use super::Shape;
    use otp_bridge::{Cx, Result};

    pub async fn area(shape: &Shape, cx: &Cx<'_>) -> Result<f64> {
        cx.checkpoint().await;
        Ok(shape.side * shape.side)
    }
}

fn main() {}
