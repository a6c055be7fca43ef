//! Reading a replica: nodes, children and attributes of the merged tree.

use std::sync::Arc;

use bytes::Bytes;

use super::{FoldedMove, Moved, Replica};
use crate::error::EditError;
use crate::operation::{Edit, NodeId, Operation};
use crate::position::Position;
use crate::{ROOT, TRASH};

type Result<T> = std::result::Result<T, EditError>;

impl Replica {
    /// Returns the children of a node, in order.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn children(&self, node: NodeId) -> Result<Vec<NodeId>> {
        self.live(node)?;
        let children = self.nodes.get(&node).into_iter();
        let children = children.flat_map(|node| &node.children);
        Ok(children.map(|(_, child)| *child).collect())
    }

    /// Returns the parent of a node; `None` for the root.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn parent(&self, node: NodeId) -> Result<Option<NodeId>> {
        self.live(node)?;
        Ok(self.location(node).map(|place| place.parent))
    }

    /// Returns all known nodes, including deleted ones.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.nodes.keys().copied()
    }

    /// Returns all nodes below a node.
    #[must_use]
    pub fn below(&self, node: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut left = vec![node];
        while let Some(at) = left.pop() {
            let children = self.placed_children(at).map(|(_, child)| child);
            let from = found.len();
            found.extend(children);
            left.extend_from_slice(&found[from..]);
        }
        found
    }

    /// Returns the node's parent, and its position among that parent's children.
    #[must_use]
    pub fn parent_and_position(&self, node: NodeId) -> Option<(NodeId, &Position)> {
        let place = self.location(node)?;
        Some((place.parent, &place.position))
    }

    /// Returns how many nodes are above a node, or `None` if it does not exist or is deleted.
    #[must_use]
    pub fn depth(&self, node: NodeId) -> Option<usize> {
        self.path(node).position(|at| at == ROOT)
    }

    /// Returns the children of a node with their positions, in order.
    pub fn placed_children(&self, node: NodeId) -> impl Iterator<Item = (&Position, NodeId)> {
        let children = self.nodes.get(&node).into_iter();
        let children = children.flat_map(|node| &node.children);
        children.map(|(position, child)| (position, *child))
    }

    /// Returns the attributes that have an index. The declarations are stored as attributes of the
    /// trash node, which is never shown.
    #[must_use]
    pub fn indexed(&self) -> Vec<String> {
        let attributes = self.nodes.get(&TRASH).into_iter();
        let attributes = attributes.flat_map(|node| &node.attributes);
        let is_put = |writes: &&Vec<_>| {
            writes
                .last()
                .is_some_and(|it: &Arc<Operation>| value(it).is_some())
        };
        let indexed = attributes.filter(|(_, writes)| is_put(writes));
        indexed.map(|(key, _)| key.clone()).collect()
    }

    /// Returns the value of an attribute.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn attribute(&self, node: NodeId, key: &str) -> Result<Option<Bytes>> {
        self.live(node)?;
        let writes = self.nodes.get(&node).and_then(|it| it.attributes.get(key));
        Ok(writes.and_then(|writes| value(writes.last()?)).cloned())
    }

    /// Returns all attributes, in the order of their keys.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn attributes(&self, node: NodeId) -> Result<Vec<(String, Bytes)>> {
        self.live(node)?;
        let attributes = self.nodes.get(&node).into_iter();
        let attributes = attributes.flat_map(|node| &node.attributes);
        let values = attributes.filter_map(|(key, writes)| {
            let value = value(writes.last()?)?;
            Some((key.clone(), value.clone()))
        });
        Ok(values.collect())
    }

    /// Returns the number of nodes, with the root.
    #[must_use]
    pub fn size(&self) -> usize {
        let mut size = 0;
        let mut left = vec![crate::ROOT];
        while let Some(node) = left.pop() {
            size += 1;
            let children = self.nodes.get(&node).into_iter();
            left.extend(
                children
                    .flat_map(|node| &node.children)
                    .map(|(_, child)| *child),
            );
        }
        size
    }

    /// Returns the number of operations that the replica keeps.
    #[must_use]
    pub fn operation_count(&self) -> usize {
        self.operations().count() + self.folded.moves.values().flatten().count()
    }

    /// Returns the operation that deleted the node or an ancestor.
    pub(crate) fn deletion(&self, node: NodeId) -> Option<&Operation> {
        let top = self.path(node).find(|at| {
            self.location(*at)
                .is_some_and(|place| place.parent == crate::TRASH)
        })?;
        let by = self.location(top)?.by;
        if let Some(folded) = self.folded.get(top, by) {
            return Some(folded);
        }
        let moves = self.moves();
        let at = moves.binary_search_by_key(&by, |moved| moved.operation.stamp);
        at.ok().map(|at| &*moves[at].operation)
    }

    /// Returns the writes of each attribute that no other write has seen. The last one is the
    /// value.
    pub(crate) fn writes(&self) -> impl Iterator<Item = &[Arc<Operation>]> {
        self.nodes.keys().flat_map(|node| self.writes_of(*node))
    }

    pub(crate) fn writes_of(&self, node: NodeId) -> impl Iterator<Item = &[Arc<Operation>]> {
        // Two concurrent declarations of an index do not conflict, so the trash node's writes are
        // left out.
        let state = self.nodes.get(&node).filter(|_| node != TRASH);
        let attributes = state.into_iter().flat_map(|it| it.attributes.values());
        attributes.map(Vec::as_slice)
    }

    pub(crate) fn moves(&self) -> &[Moved] {
        &self.moves
    }

    /// Returns the folded moves that are kept, for each node in the order of their stamps.
    pub(crate) fn folded_moves(&self) -> impl Iterator<Item = &[FoldedMove]> {
        self.folded.moves.values().map(Vec::as_slice)
    }

    /// Returns the folded moves of one node.
    pub(crate) fn folded_moves_of(&self, node: NodeId) -> Option<&[FoldedMove]> {
        self.folded.moves.get(&node).map(Vec::as_slice)
    }

    /// Returns whether this move decided where its node is.
    pub(crate) fn is_placed_by(&self, operation: &Operation) -> bool {
        let place = self.location(operation.node());
        place.is_some_and(|place| place.by == operation.stamp)
    }

    /// Returns the stamp of the move that decided where a node is.
    pub(crate) fn placed_by(&self, node: NodeId) -> Option<crate::Stamp> {
        self.location(node).map(|place| place.by)
    }
}

fn value(operation: &Operation) -> Option<&Bytes> {
    match &operation.edit {
        Edit::Put(_, _, value) => Some(value),
        _ => None,
    }
}
