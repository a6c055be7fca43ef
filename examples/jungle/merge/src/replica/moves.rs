//! Applying moves in the order of their stamps, whatever order they arrive in.
//!
//! When a move arrives late, the replica undoes the later moves, applies the late one, and redoes
//! the others. So all replicas apply all moves in one order, and skip the same moves, those that
//! would have made a cycle. See Kleppmann and others, "A highly-available move operation for
//! replicated trees".

use std::sync::Arc;

use super::{Location, Moved, Replica};
use crate::TRASH;
use crate::operation::{Edit, NodeId, Operation};
use crate::position::Position;

impl Replica {
    /// Applies moves, which have to be in the order of their stamps.
    pub(super) fn make_moves(&mut self, new: Vec<Arc<Operation>>) {
        let Some(first) = new.first().map(|operation| operation.stamp) else {
            return;
        };
        let at = self
            .moves
            .partition_point(|moved| moved.operation.stamp < first);
        let later = self.moves.split_off(at);
        for moved in later.iter().rev() {
            self.take_back(moved);
        }
        let later = later.into_iter().map(|moved| moved.operation);
        let mut all: Vec<_> = later.chain(new).collect();
        all.sort_by_key(|operation| operation.stamp);
        for operation in all {
            let moved = self.make(operation);
            self.moves.push(moved);
        }
    }

    fn make(&mut self, operation: Arc<Operation>) -> Moved {
        let node = operation.node();
        let (parent, position) = match &operation.edit {
            Edit::Create(parent, position) | Edit::Move(_, parent, position) => {
                (*parent, position.clone())
            }
            _ => (TRASH, Position::default()),
        };
        let is_cycle = self.is_at_or_below(parent, node);
        let by = operation.stamp;
        let place = Location {
            parent,
            position,
            by,
        };
        Moved {
            before: (!is_cycle)
                .then(|| self.put_at(node, Some(place)))
                .flatten(),
            operation,
            is_cycle,
        }
    }

    fn take_back(&mut self, moved: &Moved) {
        if !moved.is_cycle {
            self.put_at(moved.operation.node(), moved.before.clone());
        }
    }

    /// Puts a node at a place. Returns its old place.
    pub(super) fn put_at(&mut self, node: NodeId, place: Option<Location>) -> Option<Location> {
        self.touched.insert(node);
        let state = self.nodes.entry(node).or_default();
        let before = std::mem::replace(&mut state.place, place.clone());
        if let Some(before) = &before
            && let Some(parent) = self.nodes.get_mut(&before.parent)
        {
            parent.children.remove(&(before.position.clone(), node));
        }
        if let Some(place) = place {
            let parent = self.nodes.entry(place.parent).or_default();
            parent.children.insert((place.position, node));
        }
        before
    }

    /// Returns whether a node is the other node, or below it.
    pub(super) fn is_at_or_below(&self, node: NodeId, above: NodeId) -> bool {
        self.path(node).any(|at| at == above)
    }

    /// Returns the node, its parent, its parent's parent and so on.
    pub(crate) fn path(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(node), |at| {
            self.location(*at).map(|place| place.parent)
        })
    }

    pub(super) fn location(&self, node: NodeId) -> Option<&Location> {
        self.nodes.get(&node)?.place.as_ref()
    }
}
