//! Time is a `Duration`.

use otp_bridge::Cx;

fn later(cx: &Cx<'_>) {
    cx.send_after(100, "now");
}

fn main() {}
