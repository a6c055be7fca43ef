//! The process that runs a benchmark and measures it.

use std::time::{Duration, Instant};

use otp_bridge::atoms::{continue_, normal, ok};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::supervisor::ChildSpec;

use crate::counter::{self, Counter};
use crate::friend::{self, Friend, Friends};
use crate::load::per_mille;
use crate::machine::resident;
use crate::member::{Hops, Member, Next};
use crate::plan::Plan;
use crate::stroot::Stroot;
use crate::workers::{WORKERS, Workers};

/// The registered bench.
pub static BENCH: Server<Bench> = Server::registered();

/// The plan, and how many actors have not finished yet.
#[derive(Debug)]
pub struct Bench {
    plan: Plan,
    begun: Instant,
    /// Resident memory before the measured part.
    resident: u64,
    running: u32,
    /// Durations of the calls.
    times: Vec<Duration>,
}

/// `start`
#[derive(Debug, Term)]
pub struct Start;

/// `done`
#[derive(Debug, Term)]
pub struct Done;

/// `{times, [Nanoseconds]}`: reports the durations of calls.
#[derive(Debug, Term)]
pub struct Times(pub Vec<u64>);

#[gen_server]
impl GenServer for Bench {
    type Args = Plan;

    fn init(plan: Plan) -> impl InitReturn<Self> {
        let bench = Bench {
            plan,
            begun: Instant::now(),
            resident: resident(),
            running: plan.ends(),
            times: Vec::new(),
        };
        (ok, bench, (continue_, Start))
    }

    async fn handle_continue(&mut self, _: Start, cx: &Cx<'_>) -> Result<HandleContinue> {
        self.begun = Instant::now();
        let root = Server::<Stroot>::registered();
        let workers = ChildSpec::of::<Workers>(self.plan).registered(&WORKERS);
        cx.start_child_spec(&root, workers).await?;
        match self.plan {
            Plan::Ring(_, hops) => self.ring(hops, cx).await?,
            Plan::Throughput(_, messages) => self.throughput(messages, cx).await?,
            Plan::Creation(_) | Plan::Idle(_) | Plan::Latency(..) | Plan::Timers(_) => {}
            Plan::Big(_) => self.big(cx).await?,
        }
        noreply()
    }

    fn handle_cast(&mut self, Times(times): Times) -> HandleCast {
        self.times
            .extend(times.into_iter().map(Duration::from_nanos));
        self.one_has_ended()
    }

    fn handle_cast(&mut self, _: Done) -> HandleCast {
        self.one_has_ended()
    }
}

impl Bench {
    fn one_has_ended(&mut self) -> HandleCast {
        self.running -= 1;
        if self.running > 0 {
            return noreply();
        }
        match self.plan {
            Plan::Idle(_) => println!("bytes={}", resident().saturating_sub(self.resident)),
            Plan::Latency(_, within) => {
                let times = std::mem::take(&mut self.times);
                println!("nanoseconds={}", per_mille(times, within).as_nanos());
            }
            _ => println!("nanoseconds={}", self.begun.elapsed().as_nanos()),
        }
        stop(normal)
    }
}

/// Returns the actors. The supervisor only knows their pids.
async fn actors<T>(cx: &Cx<'_>) -> Result<Vec<Server<T>>> {
    let children = cx.which_children(&WORKERS).await?;
    let pids = children
        .into_iter()
        .filter_map(|child| child.process.running());
    Ok(pids.map(Server::from).collect())
}

impl Bench {
    async fn ring(&mut self, hops: u64, cx: &Cx<'_>) -> Result<()> {
        let ring = actors::<Member>(cx).await?;
        for (index, member) in ring.iter().enumerate() {
            let next = ring[(index + 1) % ring.len()].clone();
            cx.call(member, Next(next)).await?;
        }
        self.begun = Instant::now();
        cx.cast(&ring[0], Hops(hops));
        Ok(())
    }

    async fn throughput(&mut self, messages: u64, cx: &Cx<'_>) -> Result<()> {
        let counters = actors::<Counter>(cx).await?;
        self.begun = Instant::now();
        for _ in 0..messages {
            for counter in &counters {
                cx.cast(counter, counter::Note);
                cx.checkpoint().await;
            }
        }
        Ok(())
    }

    async fn big(&mut self, cx: &Cx<'_>) -> Result<()> {
        let friends = actors::<Friend>(cx).await?;
        for friend in &friends {
            cx.call(friend, Friends(friends.clone())).await?;
        }
        self.begun = Instant::now();
        for friend in &friends {
            cx.cast(friend, friend::Begin);
        }
        Ok(())
    }
}
