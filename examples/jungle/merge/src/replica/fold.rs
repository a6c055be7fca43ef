//! Folding: shortening the history of moves. When no earlier move can arrive any more, a replica
//! keeps, for each node, only the move that decides its place and the overruled moves.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use otp_bridge::Term;

use super::{Moved, Replica};
use crate::batch::{Batch, includes, known};
use crate::operation::{Edit, NodeId, Operation, Stamp, Versions};

/// Summary of what a replica knows of a tree: `{known, Versions, Clock, Folded, Horizon}`.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
#[term(record)]
pub struct Known {
    /// The operations that the replica knows.
    pub versions: Versions,
    /// The latest time that it knows. Its next operations get later times.
    pub clock: u64,
    /// The operations that another replica has to know, so that this one can send it single
    /// operations.
    pub folded: Versions,
    /// A move that is not after this stamp arrives too late.
    pub horizon: Stamp,
}

/// The folded moves of a replica.
#[derive(Debug, Clone, Default)]
pub(crate) struct Folded {
    pub(super) versions: Versions,
    pub(super) horizon: Option<Stamp>,
    /// The moves that are kept, for each node in the order of their stamps.
    pub(super) moves: HashMap<NodeId, Vec<FoldedMove>>,
}

/// A folded move that is kept.
#[derive(Debug, Clone)]
pub(crate) struct FoldedMove {
    pub(crate) operation: Arc<Operation>,
    pub(crate) is_cycle: bool,
}

impl Replica {
    /// Returns the summary that is sent to other replicas.
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

    /// Returns how many moves are not folded.
    #[must_use]
    pub fn move_count(&self) -> usize {
        self.moves.len()
    }

    /// Folds all moves except the last `keep`, as far as all `others` have them. `others` must be
    /// all replicas that count. Returns how many moves were folded.
    pub fn fold<'k>(&mut self, others: impl Iterator<Item = &'k Known>, keep: usize) -> usize {
        let others: Vec<&Known> = others.collect();
        if !others.iter().all(|it| self.includes(&it.versions)) {
            return 0;
        }
        // Operations that the others make after this have later times than their clocks.
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

    /// Returns whether the batch has a move that belongs before the folded ones.
    pub(super) fn is_late(&self, batch: &Batch) -> bool {
        let horizon = self.horizon();
        batch.operations.iter().any(|operation| {
            is_move(operation)
                && operation.stamp <= horizon
                && operation.sequence > known(&self.versions, operation.stamp.1)
        })
    }

    /// Returns whether this replica has to take the other one's
    /// [`snapshot`](Replica::snapshot), because exchanging operations is not enough: this one lacks
    /// operations that are folded there, or has moves that arrive too late there.
    ///
    /// If both replicas have folded what the other one lacks, only the one that has folded less
    /// takes a snapshot. Otherwise the two would exchange their snapshots, and then again, for
    /// ever. Each snapshot that a replica takes has folded more than the replica, so the exchange
    /// ends.
    #[must_use]
    pub fn is_behind(&self, other: &Known) -> bool {
        if rank(other.horizon, &other.folded) <= rank(self.horizon(), &self.folded.versions) {
            return false;
        }
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

    /// Returns whether the other replica lacks operations that are folded here.
    #[must_use]
    pub fn is_ahead_of(&self, other: &Versions) -> bool {
        !includes(other, &self.folded.versions)
    }
}

impl Folded {
    /// Forgets the moves of a node that a later move, made with knowledge of them, replaced, except
    /// the move that decides the node's place.
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

/// Returns the rank of what a replica has folded. A replica that has folded all of it and more has
/// a higher rank.
fn rank(horizon: Stamp, folded: &Versions) -> (Stamp, u128, &Versions) {
    let count = folded.values().map(|count| u128::from(*count)).sum();
    (horizon, count, folded)
}

pub(super) fn is_move(operation: &Operation) -> bool {
    matches!(
        operation.edit,
        Edit::Create(..) | Edit::Move(..) | Edit::Delete(_)
    )
}
