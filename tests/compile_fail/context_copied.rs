//! The context belongs to one call, and cannot be copied.

use otp_bridge::Cx;

fn copy(cx: &Cx<'_>) -> Cx<'static> {
    cx.clone()
}

fn main() {}
