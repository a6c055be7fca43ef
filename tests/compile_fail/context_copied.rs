//! The context belongs to one call: there is no second one.

use otp_bridge::Cx;

fn copy(cx: &Cx<'_>) -> Cx<'static> {
    cx.clone()
}

fn main() {}
