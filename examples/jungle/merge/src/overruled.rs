//! Overruled edits: those without an effect, because a concurrent edit of another replica won.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use otp_bridge::Term;

use crate::operation::{Edit, NodeId, Operation, Stamp};
use crate::replica::{FoldedMove, Replica};

/// The reason why an edit is overruled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
pub enum OverruledBy {
    /// `{written, Stamp}`: the write with this stamp set the same attribute later.
    Written(Stamp),
    /// `{moved, Stamp}`: the move with this stamp moved the same node later.
    Moved(Stamp),
    /// `{deleted, Stamp}`: the operation with this stamp deleted the node or an ancestor.
    Deleted(Stamp),
    /// `cycle`: the move would have made the node its own descendant.
    Cycle,
    /// `no_node`: the node or an ancestor was never created.
    NoNode,
}

/// `{overruled, Operation, By}`
#[derive(Debug, Clone, PartialEq, Eq, Term)]
#[term(record)]
pub struct Overruled {
    /// The edit, with its value.
    pub operation: Operation,
    /// The reason.
    pub by: OverruledBy,
}

impl Replica {
    /// Lists the overruled edits in the order of their stamps. An edit leaves the list when a
    /// replica that has seen it writes the same attribute, or moves the same node, again.
    #[must_use]
    pub fn overruled(&self) -> Vec<Overruled> {
        self.listed(self.writes(), self.folded_moves(), |_| true)
    }

    /// Lists the overruled edits of these nodes.
    #[must_use]
    pub fn overruled_at(&self, nodes: &HashSet<NodeId>) -> Vec<Overruled> {
        let writes = nodes.iter().flat_map(|node| self.writes_of(*node));
        let folded = nodes.iter().filter_map(|node| self.folded_moves_of(*node));
        self.listed(writes, folded, |node| nodes.contains(&node))
    }

    fn listed<'r>(
        &'r self,
        writes: impl Iterator<Item = &'r [Arc<Operation>]>,
        folded: impl Iterator<Item = &'r [FoldedMove]>,
        is_asked: impl Fn(NodeId) -> bool,
    ) -> Vec<Overruled> {
        let mut found = Vec::new();
        let mut add = |operation: &Operation, by: Option<OverruledBy>| {
            let operation = operation.clone();
            found.extend(by.map(|by| Overruled { operation, by }));
        };
        for writes in writes {
            let Some((last, others)) = writes.split_last() else {
                continue;
            };
            for write in others {
                let lost = Some(OverruledBy::Written(last.stamp));
                add(write, self.unseen_deletion(write).or(lost));
            }
            add(last, self.unseen_deletion(last));
        }
        let mut by_node: HashMap<NodeId, Vec<&Operation>> = HashMap::new();
        let later = self.moves().iter().rev();
        let later = later.filter(|it| is_asked(it.operation.node()));
        let later = later.map(|it| (&*it.operation, it.is_cycle));
        let folded_moves = folded.flat_map(|moves| moves.iter().rev());
        let folded_moves = folded_moves.map(|it| (&*it.operation, it.is_cycle));
        for (operation, is_cycle) in later.chain(folded_moves) {
            let later = by_node.entry(operation.node()).or_default();
            if !later.iter().any(|other| other.has_seen(operation)) {
                add(operation, self.move_overruled(operation, is_cycle));
            }
            later.push(operation);
        }
        found.sort_by_key(|overruled| overruled.operation.stamp);
        found
    }

    fn move_overruled(&self, operation: &Operation, is_cycle: bool) -> Option<OverruledBy> {
        if is_cycle {
            return Some(OverruledBy::Cycle);
        }
        if self.is_placed_by(operation) {
            return self.unseen_deletion(operation);
        }
        self.placed_by(operation.node()).map(OverruledBy::Moved)
    }

    /// Returns the deletion of the operation's node, if the deleting replica did not know the
    /// operation.
    fn unseen_deletion(&self, operation: &Operation) -> Option<OverruledBy> {
        let node = operation.node();
        match self.deletion(node) {
            Some(deletion) if deletion.stamp == operation.stamp || deletion.has_seen(operation) => {
                None
            }
            Some(deletion) => Some(OverruledBy::Deleted(deletion.stamp)),
            None if matches!(operation.edit, Edit::Delete(_)) => None,
            None => self.live_or_none(node),
        }
    }

    fn live_or_none(&self, node: NodeId) -> Option<OverruledBy> {
        let is_live = self.path(node).any(|at| at == crate::ROOT);
        (!is_live).then_some(OverruledBy::NoNode)
    }
}
