//! The process that ticks.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use otp_bridge::atoms::{continue_, normal, ok};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::Shared;

use crate::plot;
use crate::solver::{Manner, Solver};
use crate::solvers::SOLVERS;

/// What a ticker wants to sleep.
const SECOND: Duration = Duration::from_secs(1);

/// The solvers that each round has, if any.
const ROUNDS: [(&str, Option<Manner>); 4] = [
    ("idle", None),
    ("polite", Some(Manner::Polite)),
    ("dirty", Some(Manner::Dirty)),
    ("impolite", Some(Manner::Impolite)),
];

/// The command line: `ticker SOLVERS NODES [SECONDS]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
#[term(record)]
pub struct Plan {
    /// How many solvers run at once.
    pub solvers: u32,
    /// How many nodes their paths have.
    pub nodes: u32,
    /// How many seconds each round takes.
    pub seconds: u32,
}

/// Sleeps for a second again and again, and notes how long that has really taken.
#[derive(Debug)]
pub struct Experiment {
    plan: Plan,
    running: Vec<Server<Solver>>,
    solved: Arc<AtomicU64>,
    /// One for each of [`ROUNDS`] that has begun.
    rounds: Vec<Round>,
    ticked: Instant,
}

/// What came of a round.
#[derive(Debug, Default)]
pub struct Round {
    /// What it is called.
    pub name: &'static str,
    /// By how much each tick came too late.
    pub late: Vec<Duration>,
    /// How many trees were found.
    pub solved: u64,
}

/// `round`: begins with the next one.
#[derive(Debug, Term)]
pub struct NextRound;

/// `tick`
#[derive(Debug, Term)]
pub struct Tick;

#[gen_server]
impl GenServer for Experiment {
    type Args = Plan;

    fn init(plan: Plan) -> impl InitReturn<Self> {
        let experiment = Experiment {
            plan,
            running: Vec::new(),
            solved: Arc::default(),
            rounds: Vec::new(),
            ticked: Instant::now(),
        };
        (ok, experiment, (continue_, NextRound))
    }

    async fn handle_continue(&mut self, _: NextRound, cx: &Cx<'_>) -> Result<HandleContinue> {
        self.stop_solvers(cx).await?;
        let Some(&(name, manner)) = ROUNDS.get(self.rounds.len()) else {
            println!("{}", plot::summary(&self.rounds));
            return stop(normal);
        };
        self.rounds.push(Round {
            name,
            ..Round::default()
        });
        if let Some(manner) = manner {
            self.start_solvers(manner, cx).await?;
        }
        self.sleep(cx).await?;
        noreply()
    }

    async fn handle_info(&mut self, _: Tick, cx: &Cx<'_>) -> Result<HandleInfo> {
        let slept = self.ticked.elapsed();
        let Some(round) = self.rounds.last_mut() else {
            return noreply();
        };
        let late = slept.saturating_sub(SECOND);
        round.late.push(late);
        let (name, ticks) = (round.name, round.late.len());
        let is_over = ticks >= self.plan.seconds as usize;
        if !is_over {
            // What is printed waits for the terminal, so the next second begins before.
            self.sleep(cx).await?;
        }
        let (slept, late) = (plot::milliseconds(slept), plot::milliseconds(late));
        println!("[{name}]: {slept:.3} ms since the last tick, off by {late:.3} ms");
        match is_over {
            true => noreply_with((continue_, NextRound)),
            false => noreply(),
        }
    }
}

impl Experiment {
    async fn sleep(&mut self, cx: &Cx<'_>) -> Result<()> {
        self.ticked = Instant::now();
        cx.send_after(SECOND, Tick).await?;
        Ok(())
    }

    async fn start_solvers(&mut self, manner: Manner, cx: &Cx<'_>) -> Result<()> {
        self.solved = Arc::default();
        for _ in 0..self.plan.solvers {
            let arguments = (
                manner,
                self.plan.nodes,
                Shared::from(Arc::clone(&self.solved)),
            );
            self.running
                .push(cx.start_child(&SOLVERS, arguments).await?);
        }
        Ok(())
    }

    async fn stop_solvers(&mut self, cx: &Cx<'_>) -> Result<()> {
        for solver in self.running.drain(..) {
            cx.terminate_child(&SOLVERS, &solver).await?;
        }
        if let Some(round) = self.rounds.last_mut() {
            round.solved = self.solved.swap(0, Ordering::Relaxed);
        }
        Ok(())
    }
}
