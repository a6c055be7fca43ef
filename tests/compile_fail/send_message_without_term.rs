//! Part of the message has no Erlang form.

use otp_bridge::{Cx, Pid};

struct Row(u64);

fn tell(cx: &Cx<'_>, to: &Pid, rows: Vec<Row>) {
    cx.send(to, ("rows", rows));
}

fn main() {}
