//! Many lights: measures the memory of tasks.

use otp_bridge::task::UNBOUNDED;
use std::time::Duration;

use otp_bridge::atoms::{continue_, normal, ok};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::task::ChannelSender;

use crate::million::resident;

/// How long a light stays on, and how long it stays off.
const HALF_A_SECOND: Duration = Duration::from_millis(500);

/// Number of times that a light is switched.
const BLINKS: u32 = 8;

/// A process with many tasks. Each task is a light that blinks without being drawn.
#[derive(Debug, Term)]
pub struct Lights {
    lights: u64,
}

/// `begin`
#[derive(Debug, Term)]
pub struct Begin;

#[gen_server]
impl GenServer for Lights {
    /// Number of lights.
    type Args = u64;

    fn init(lights: u64) -> impl InitReturn<Self> {
        (ok, Lights { lights }, (continue_, Begin))
    }

    async fn handle_continue(&mut self, _: Begin, cx: &Cx<'_>) -> Result<HandleContinue> {
        let (ended, mut ends) = cx.channel::<()>(UNBOUNDED);
        let first = self.lights / 2;
        start(first, &ended, cx).await;
        // By now, the process has allocated everything that does not depend on the number of its
        // tasks.
        let before = resident();
        start(self.lights - first, &ended, cx).await;
        let taken = resident().saturating_sub(before);
        let each = taken / (self.lights - first).max(1);
        println!(
            "{} lights blink: {each} bytes of memory for each",
            self.lights
        );
        drop(ended);
        while ends.receive().await.is_some() {}
        println!("{} lights are out", self.lights);
        stop(normal)
    }
}

async fn start(lights: u64, ended: &ChannelSender<()>, cx: &Cx<'_>) {
    for _ in 0..lights {
        let ended = ended.clone();
        cx.spawn_task(async move |cx| blink(ended, cx).await);
        cx.checkpoint().await;
    }
}

/// A blinking light. Dropping the sender `_ended` tells the process that the light has ended.
async fn blink(_ended: ChannelSender<()>, cx: &Cx<'_>) -> Result<()> {
    for _ in 0..BLINKS {
        cx.sleep(HALF_A_SECOND).await?;
    }
    Ok(())
}
