//! The benchmarks with a task for each actor, all in one process.

use otp_bridge::task::UNBOUNDED;
use std::time::{Duration, Instant};

use otp_bridge::atoms::{continue_, normal, ok};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::task::{ChannelReceiver, ChannelSender, OneshotSender};

use crate::load;
use crate::machine::{resident, worked};
use crate::plan::Plan;

/// The process with the tasks.
#[derive(Debug, Term)]
pub struct Tasks {
    plan: Plan,
}

/// `start`
#[derive(Debug, Term)]
pub struct Start;

#[gen_server]
impl GenServer for Tasks {
    type Args = Plan;

    fn init(plan: Plan) -> impl InitReturn<Self> {
        (ok, Tasks { plan }, (continue_, Start))
    }

    async fn handle_continue(&mut self, _: Start, cx: &Cx<'_>) -> Result<HandleContinue> {
        let took = match self.plan {
            Plan::Ring(members, hops) => ring(members, hops, cx).await?,
            Plan::Throughput(actors, messages) => throughput(actors, messages, cx).await?,
            Plan::Creation(actors) => creation(actors, cx).await?,
            Plan::Big(actors) => big(actors, cx).await?,
            Plan::Latency(clients, within) => latency(clients, within, cx).await?,
            Plan::Timers(timers) => sleepers(timers, cx).await?,
            Plan::Idle(actors) => {
                println!("bytes={}", idle(actors, cx).await?);
                return stop(normal);
            }
        };
        println!("nanoseconds={}", took.as_nanos());
        stop(normal)
    }
}

/// Creates a mailbox for each actor.
fn mailboxes<T: Send + 'static>(
    actors: u32,
    cx: &Cx<'_>,
) -> (Vec<ChannelSender<T>>, Vec<ChannelReceiver<T>>) {
    (0..actors).map(|_| cx.channel(UNBOUNDED)).unzip()
}

/// Waits for this many messages.
async fn all(mailbox: &mut ChannelReceiver<()>, number: u64) {
    for _ in 0..number {
        mailbox.receive().await;
    }
}

async fn ring(members: u32, hops: u64, cx: &Cx<'_>) -> Result<Duration> {
    let (ended, mut end) = cx.channel(UNBOUNDED);
    let (ring, mailboxes) = mailboxes::<u64>(members, cx);
    for (index, mut mailbox) in mailboxes.into_iter().enumerate() {
        let next = ring[(index + 1) % ring.len()].clone();
        let ended = ended.clone();
        cx.spawn_task(async move |_| {
            while let Some(hops) = mailbox.receive().await {
                match hops {
                    0 => ended.send(())?,
                    _ => next.send(hops - 1)?,
                }
            }
            Ok(())
        });
    }
    let begun = Instant::now();
    ring[0].send(hops)?;
    all(&mut end, 1).await;
    Ok(begun.elapsed())
}

async fn throughput(actors: u32, messages: u64, cx: &Cx<'_>) -> Result<Duration> {
    let (ended, mut end) = cx.channel(UNBOUNDED);
    let (counters, mailboxes) = mailboxes::<()>(actors, cx);
    for mut mailbox in mailboxes {
        let ended = ended.clone();
        cx.spawn_task(async move |_| {
            all(&mut mailbox, messages).await;
            Ok(ended.send(())?)
        });
    }
    let begun = Instant::now();
    for _ in 0..messages {
        for counter in &counters {
            counter.send(())?;
        }
        cx.checkpoint().await;
    }
    all(&mut end, actors.into()).await;
    Ok(begun.elapsed())
}

async fn creation(actors: u32, cx: &Cx<'_>) -> Result<Duration> {
    let (started, mut start) = cx.channel(UNBOUNDED);
    let begun = Instant::now();
    for _ in 0..actors {
        let started = started.clone();
        cx.spawn_task(async move |_| Ok(started.send(())?));
        cx.checkpoint().await;
    }
    all(&mut start, actors.into()).await;
    Ok(begun.elapsed())
}

async fn big(actors: u32, cx: &Cx<'_>) -> Result<Duration> {
    let (ended, mut end) = cx.channel(UNBOUNDED);
    let (friends, mailboxes) = mailboxes::<()>(actors, cx);
    let (starts, starting) = self::mailboxes::<()>(actors, cx);
    for (index, (mut mailbox, mut start)) in mailboxes.into_iter().zip(starting).enumerate() {
        let others = [&friends[..index], &friends[index + 1..]].concat();
        let ended = ended.clone();
        cx.spawn_task(async move |_| {
            all(&mut start, 1).await;
            for other in &others {
                other.send(())?;
            }
            all(&mut mailbox, others.len() as u64).await;
            Ok(ended.send(())?)
        });
        cx.checkpoint().await;
    }
    let begun = Instant::now();
    for start in &starts {
        start.send(())?;
    }
    all(&mut end, actors.into()).await;
    Ok(begun.elapsed())
}

/// Returns how much the resident memory grows when all tasks wait for a message.
async fn idle(actors: u32, cx: &Cx<'_>) -> Result<u64> {
    let before = resident();
    let (started, mut start) = cx.channel(UNBOUNDED);
    let mut addresses = Vec::new();
    for _ in 0..actors {
        let (address, mut mailbox) = cx.channel::<()>(UNBOUNDED);
        addresses.push(address);
        let started = started.clone();
        cx.spawn_task(async move |_| {
            started.send(())?;
            drop(started);
            mailbox.receive().await;
            Ok(())
        });
        cx.checkpoint().await;
    }
    all(&mut start, actors.into()).await;
    Ok(resident().saturating_sub(before))
}

/// Returns the processor time for timers that expire in half a second to a second from now.
async fn sleepers(timers: u32, cx: &Cx<'_>) -> Result<Duration> {
    let before = worked();
    let (ended, mut end) = cx.channel(UNBOUNDED);
    for timer in 0..timers {
        let ended = ended.clone();
        let delay = Duration::from_millis(500 + u64::from(timer % 500));
        cx.spawn_task(async move |cx| {
            cx.sleep(delay).await?;
            Ok(ended.send(())?)
        });
        cx.checkpoint().await;
    }
    all(&mut end, timers.into()).await;
    Ok(worked() - before)
}

/// Returns how long a call between tasks takes while others compute.
async fn latency(clients: u32, within: u32, cx: &Cx<'_>) -> Result<Duration> {
    let (clerk, mut asked) = cx.channel::<OneshotSender<u64>>(UNBOUNDED);
    cx.spawn_task(async move |_| {
        let mut count = 0;
        while let Some(client) = asked.receive().await {
            count += 1;
            client.send(count)?;
        }
        Ok(())
    });
    let computing = cx.scope();
    for _ in 0..load::workers() {
        computing.spawn(async move |cx| -> Result<()> {
            loop {
                for () in load::compute() {
                    cx.checkpoint().await;
                }
                cx.yield_now().await;
            }
        });
    }
    let calls = (0..clients).map(|index| {
        let clerk = clerk.clone();
        cx.spawn_task(async move |cx| {
            let mut times = Vec::new();
            for due in load::due(index, clients) {
                cx.sleep(load::until(due)).await?;
                let (client, answer) = cx.oneshot();
                clerk.send(client)?;
                answer.await;
                times.push(due.elapsed());
            }
            Ok(times)
        })
    });
    let mut times = Vec::new();
    for call in calls.collect::<Vec<_>>() {
        times.extend(call.await?);
    }
    Ok(load::per_mille(times, within))
}
