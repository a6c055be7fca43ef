//! A solver: a process that computes trees for ever.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use otp_bridge::atoms::{continue_, ok};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::Shared;

use crate::dreyfus_wagner::minimum_tree;
use crate::graph::{Graph, NoTree, Node, Tree};
use crate::pace::{Relentless, at_once};

/// How a solver treats other processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
pub enum Manner {
    /// Yields at checkpoints.
    Polite,
    /// Runs on a dirty scheduler.
    Dirty,
    /// Holds its scheduler until a tree is complete.
    Impolite,
}

/// State of a solver.
#[derive(Debug)]
pub struct Solver {
    manner: Manner,
    graph: Graph,
    terminals: Vec<Node>,
    solved: Arc<AtomicU64>,
}

/// `solve`
#[derive(Debug, Term)]
pub struct Solve;

#[gen_server]
impl GenServer for Solver {
    /// The manner, the number of nodes of the path, and the counter of all solvers' trees.
    type Args = (Manner, u32, Shared<AtomicU64>);

    fn init((manner, nodes, solved): (Manner, u32, Shared<AtomicU64>)) -> impl InitReturn<Self> {
        let solver = Solver {
            manner,
            graph: Graph::path(nodes),
            terminals: (0..nodes).collect(),
            solved: solved.arc(),
        };
        (ok, solver, (continue_, Solve))
    }

    async fn handle_continue(&mut self, _: Solve, cx: &Cx<'_>) -> Result<HandleContinue> {
        let tree = match self.manner {
            Manner::Polite => minimum_tree(&self.graph, &self.terminals, cx).await,
            Manner::Dirty => cx.dirty(|| self.relentless()).await,
            Manner::Impolite => self.relentless(),
        };
        tree?;
        self.solved.fetch_add(1, Ordering::Relaxed);
        noreply_with((continue_, Solve))
    }
}

impl Solver {
    fn relentless(&self) -> Result<Tree, NoTree> {
        at_once(minimum_tree(&self.graph, &self.terminals, &Relentless))
    }
}
