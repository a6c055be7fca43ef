//! What a process keeps across an `.await` has to be `Send`, since the VM moves processes between its threads.

use std::rc::Rc;

use otp_bridge::Cx;
use otp_bridge_novm as _;

fn start(cx: &Cx<'_>) {
    cx.spawn_process(async move |cx| {
        let shared = Rc::new(1);
        let _: u64 = cx.receive().await?;
        drop(shared);
        Ok(())
    });
}

fn main() {}
