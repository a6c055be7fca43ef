//! Part of the message is not a term.

use otp_bridge::{Cx, Pid};

struct Row(u64);

fn tell(cx: &Cx<'_>, to: &Pid, rows: Vec<Row>) {
    cx.send(to, ("rows", rows));
}

fn main() {}
