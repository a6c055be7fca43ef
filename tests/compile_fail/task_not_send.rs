//! What a task keeps across an `.await` has to be `Send`, since its process moves between the VM's threads.

use std::rc::Rc;

use otp_bridge::Cx;
use otp_bridge_novm as _;

fn start(cx: &Cx<'_>) {
    cx.spawn(async move |cx| {
        let shared = Rc::new(1);
        cx.yield_now().await;
        drop(shared);
        Ok(())
    });
}

fn main() {}
