//! What is sent is a term.

use otp_bridge::Cx;

struct Get;

fn tell(cx: &Cx<'_>) {
    cx.cast(&otp_bridge::atom!("counter"), Get);
}

fn main() {}
