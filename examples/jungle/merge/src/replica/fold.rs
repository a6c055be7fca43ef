//! Moves that nothing can come before any more are folded: of each node, only the one that has put
//! it where it was, and those that are overruled, are kept.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use otp_bridge::Term;

use super::{Moved, Replica};
use crate::batch::{Batch, includes, known};
use crate::operation::{Edit, NodeId, Operation, Stamp, Versions};

/// What a replica knows of a tree: `{known, Versions, Clock, Folded, Horizon}`.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
#[term(record)]
pub struct Known {
    /// Which operations.
    pub versions: Versions,
    /// The latest time. Its next operations have later ones.
    pub clock: u64,
    /// Which operations another one has to know, to be sent those that it lacks one by one.
    pub folded: Versions,
    /// Moves that are not after it come too late.
    pub horizon: Stamp,
}

/// Moves that are folded.
#[derive(Debug, Clone, Default)]
pub(crate) struct Folded {
    pub(super) versions: Versions,
    pub(super) horizon: Option<Stamp>,
    /// Those that are kept, of each node in the order of their stamps.
    pub(super) moves: HashMap<NodeId, Vec<FoldedMove>>,
}

/// A move that is kept.
#[derive(Debug, Clone)]
pub(crate) struct FoldedMove {
    pub(crate) operation: Arc<Operation>,
    pub(crate) is_cycle: bool,
}

impl Replica {
    /// What other replicas are told of it.
    #[must_use]
    pub fn known(&self) -> Known {
        Known {
            versions: self.versions.clone(),
            clock: self.clock,
            folded: self.folded.versions.clone(),
            horizon: self.horizon(),
        }
    }

    pub(super) fn horizon(&self) -> Stamp {
        self.folded.horizon.unwrap_or(crate::ROOT)
    }

    /// How many moves are not folded.
    #[must_use]
    pub fn move_count(&self) -> usize {
        self.moves.len()
    }

    /// Folds all moves but the last `keep`, as far as these replicas, all that count, have them.
    /// Returns how many.
    pub fn fold<'k>(&mut self, others: impl Iterator<Item = &'k Known>, keep: usize) -> usize {
        let others: Vec<&Known> = others.collect();
        if !others.iter().all(|it| self.includes(&it.versions)) {
            return 0;
        }
        // What they make from now on has later times.
        let clocks = others.iter().map(|it| it.clock);
        let clock = clocks.fold(self.clock, u64::min);
        let lacks = |operation: &Operation| {
            let Stamp(time, replica) = operation.stamp;
            time > clock
                || others
                    .iter()
                    .any(|it| operation.sequence > known(&it.versions, replica))
        };
        let foldable = self.moves.iter().position(|it| lacks(&it.operation));
        let last = self.moves.len().saturating_sub(keep);
        let end = foldable.unwrap_or(self.moves.len()).min(last);
        let folded: Vec<Moved> = self.moves.drain(..end).collect();
        let mut nodes = BTreeSet::new();
        for Moved {
            operation,
            is_cycle,
            ..
        } in folded
        {
            let node = operation.node();
            let Stamp(_, replica) = operation.stamp;
            let count = self.folded.versions.entry(replica).or_default();
            *count = (*count).max(operation.sequence);
            self.folded.horizon = Some(operation.stamp);
            let folded_move = FoldedMove {
                operation,
                is_cycle,
            };
            self.folded.moves.entry(node).or_default().push(folded_move);
            nodes.insert(node);
        }
        for node in nodes {
            self.folded.forget_superseded(node);
        }
        end
    }

    /// Whether it has moves that were folded before they came here.
    pub(super) fn is_late(&self, batch: &Batch) -> bool {
        let horizon = self.horizon();
        batch.operations.iter().any(|operation| {
            is_move(operation)
                && operation.stamp <= horizon
                && operation.sequence > known(&self.versions, operation.stamp.1)
        })
    }

    /// Whether it cannot go on together with another one by operations alone: it lacks what the
    /// other one has folded, or has what comes too late there. It has to take the other one's
    /// [`snapshot`](Replica::snapshot).
    #[must_use]
    pub fn is_behind(&self, other: &Known) -> bool {
        if !self.includes(&other.folded) {
            return true;
        }
        let is_late = |operation: &Operation| {
            operation.stamp <= other.horizon
                && operation.sequence > known(&other.versions, operation.stamp.1)
        };
        let early = self.moves.iter().map(|it| &it.operation);
        let mut early = early.take_while(|it| it.stamp <= other.horizon);
        let folded_moves = || self.folded.moves.values().flatten();
        early.any(|it| is_late(it))
            || self.is_ahead_of(&other.versions) && folded_moves().any(|it| is_late(&it.operation))
    }

    /// Whether another one lacks what is folded here.
    #[must_use]
    pub fn is_ahead_of(&self, other: &Versions) -> bool {
        !includes(other, &self.folded.versions)
    }
}

impl Folded {
    /// Forgets the moves of a node that somebody who had seen them has moved again, unless they are
    /// what counts.
    fn forget_superseded(&mut self, node: NodeId) {
        let Some(moves) = self.moves.get_mut(&node) else {
            return;
        };
        let placed = moves.iter().rfind(|it| !it.is_cycle);
        let placed = placed.map(|it| it.operation.stamp);
        let all: Vec<Arc<Operation>> = moves.iter().map(|it| it.operation.clone()).collect();
        moves.retain(|it| {
            Some(it.operation.stamp) == placed
                || !all.iter().any(|other| other.has_seen(&it.operation))
        });
    }

    pub(super) fn get(&self, node: NodeId, stamp: Stamp) -> Option<&Operation> {
        let moves = self.moves.get(&node)?;
        let found = moves.iter().find(|it| it.operation.stamp == stamp);
        found.map(|it| &*it.operation)
    }
}

pub(super) fn is_move(operation: &Operation) -> bool {
    matches!(
        operation.edit,
        Edit::Create(..) | Edit::Move(..) | Edit::Delete(_)
    )
}
