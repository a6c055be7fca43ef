//! A process outlives the callback that starts it, so it cannot borrow from that.

use otp_bridge::{Cx, atom};
use otp_bridge_novm as _;

fn start(name: &str, cx: &Cx<'_>) {
    cx.spawn_process(async move |cx| {
        cx.send(&atom!("journal"), name);
        Ok(())
    });
}

fn main() {}
