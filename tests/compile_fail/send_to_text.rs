//! A registered name is an atom.

use otp_bridge::Cx;

fn tell(cx: &Cx<'_>) {
    cx.send("counter", 1);
}

fn main() {}
