//! A million tasks: measures starting them, messages, and memory.

use otp_bridge::task::UNBOUNDED;
use std::fs;
use std::time::{Duration, Instant};

use otp_bridge::atoms::{continue_, normal, ok};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::task::{ChannelReceiver, ChannelSender, JoinHandle};

/// A process with this many tasks.
#[derive(Debug, Term)]
pub struct Million {
    tasks: u64,
}

/// `begin`
#[derive(Debug, Term)]
pub struct Begin;

#[gen_server]
impl GenServer for Million {
    /// Number of tasks.
    type Args = u64;

    fn init(tasks: u64) -> impl InitReturn<Self> {
        (ok, Million { tasks }, (continue_, Begin))
    }

    async fn handle_continue(&mut self, _: Begin, cx: &Cx<'_>) -> Result<HandleContinue> {
        let before = resident();
        let begun = Instant::now();
        let (back, mut answers) = cx.channel::<u64>(UNBOUNDED);
        let mut running = self.start(&back, cx).await;
        self.say("started", begun.elapsed());
        let bytes = resident().saturating_sub(before) / self.tasks.max(1);
        println!("{bytes} bytes of memory for each, with its mailbox, address and handle");

        let begun = Instant::now();
        for (number, (address, _)) in (0..).zip(&running) {
            address.send(number)?;
            cx.checkpoint().await;
        }
        let mut sum = 0;
        for _ in 0..self.tasks {
            sum += answers.receive().await.unwrap_or_default();
        }
        assert_eq!(sum, self.tasks * self.tasks.saturating_sub(1) / 2);
        self.say("a message to each, and one back", begun.elapsed());

        let begun = Instant::now();
        for (address, task) in running.drain(..) {
            drop(address);
            task.await?;
        }
        self.say("ended", begun.elapsed());
        stop(normal)
    }
}

impl Million {
    /// Starts tasks that send every message back, until all senders of their channel are dropped.
    async fn start(
        &self,
        back: &ChannelSender<u64>,
        cx: &Cx<'_>,
    ) -> Vec<(ChannelSender<u64>, JoinHandle<()>)> {
        let mut running = Vec::new();
        for _ in 0..self.tasks {
            let (address, mailbox) = cx.channel::<u64>(UNBOUNDED);
            let back = back.clone();
            let task = cx.spawn_task(async move |_| echo(mailbox, back).await);
            running.push((address, task));
            cx.checkpoint().await;
        }
        running
    }

    fn say(&self, what: &str, took: Duration) {
        let each = took.as_nanos() / u128::from(self.tasks.max(1));
        println!("{} tasks {what}: {took:.0?}, {each} ns each", self.tasks);
    }
}

async fn echo(mut mailbox: ChannelReceiver<u64>, back: ChannelSender<u64>) -> Result<()> {
    while let Some(number) = mailbox.receive().await {
        back.send(number)?;
    }
    Ok(())
}

/// Returns the resident memory of this program in bytes on Linux; elsewhere 0.
pub(crate) fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    // The value is in KiB, whatever the size of a page.
    let mut lines = status.lines();
    let line = lines.find_map(|line| line.strip_prefix("VmRSS:"));
    let size = line.and_then(|line| line.split_whitespace().next());
    size.and_then(|size| size.parse::<u64>().ok()).unwrap_or(0) * 1024
}
