//! The experiment: a process that measures how late its ticks are.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use otp_bridge::atoms::{continue_, normal, ok};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::Shared;

use crate::plot;
use crate::solver::{Manner, Solver};
use crate::solvers::SOLVERS;

/// Time that a tick should take.
const SECOND: Duration = Duration::from_secs(1);

/// The rounds, with the kind of solvers that run in each, if any.
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
    /// Number of solvers that run at once.
    pub solvers: u32,
    /// Number of nodes of their paths.
    pub nodes: u32,
    /// Duration of each round in seconds.
    pub seconds: u32,
}

/// Sleeps for a second again and again, and records how late it wakes up.
#[derive(Debug)]
pub struct Experiment {
    plan: Plan,
    running: Vec<Server<Solver>>,
    solved: Arc<AtomicU64>,
    /// The rounds that have started, in the order of [`ROUNDS`].
    rounds: Vec<Round>,
    ticked: Instant,
}

/// Results of a round.
#[derive(Debug, Default)]
pub struct Round {
    /// Name of the round.
    pub name: &'static str,
    /// Delay of each tick.
    pub late: Vec<Duration>,
    /// Number of trees that were found.
    pub solved: u64,
}

/// `round`: starts the next round.
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
            // Printing waits for the terminal, so the next second starts before.
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
