//! Labels: the numbers that serve as positions of the children of a shown node, in their order.

use std::collections::BTreeMap;

use jungle_merge::{NodeId, Position};

/// Number of a child.
pub(super) type Label = u64;

/// The first child's label, and the distance between two labels at an end. All labels are small
/// integers for Erlang.
const FIRST: Label = 1 << 40;
const GAP: Label = 1 << 20;
const END: Label = 1 << 58;

/// The labels of a node's children.
#[derive(Debug, Default)]
pub(super) struct Labels {
    by_order: BTreeMap<(Position, NodeId), Label>,
}

impl Labels {
    /// Adds a child. Returns `None` if there is no free number at its place.
    pub(super) fn insert(&mut self, position: &Position, node: NodeId) -> Option<Label> {
        let key = (position.clone(), node);
        let low = self.by_order.range(..&key).next_back().map(|it| *it.1);
        let high = self.by_order.range(&key..).next().map(|it| *it.1);
        let label = match (low, high) {
            (None, None) => Some(FIRST),
            (Some(low), None) => Some(low + GAP).filter(|label| *label < END),
            (None, Some(high)) => high.checked_sub(GAP),
            (Some(low), Some(high)) => (high - low >= 2).then(|| low.midpoint(high)),
        }?;
        self.by_order.insert(key, label);
        Some(label)
    }

    pub(super) fn remove(&mut self, position: &Position, node: NodeId) {
        self.by_order.remove(&(position.clone(), node));
    }

    /// Gives all children new numbers with space between them, and adds one child. Returns the old
    /// and new numbers.
    pub(super) fn spread(
        &mut self,
        position: &Position,
        node: NodeId,
    ) -> Vec<(NodeId, Option<Label>, Label)> {
        let mut all: Vec<_> = std::mem::take(&mut self.by_order)
            .into_iter()
            .map(|(key, label)| (key, Some(label)))
            .collect();
        let new = (position.clone(), node);
        let at = all.partition_point(|(key, _)| *key < new);
        all.insert(at, (new, None));
        let gap = GAP.min((END - FIRST) / (all.len() as u64 + 1)).max(1);
        let mut spread = Vec::new();
        for ((key, before), number) in all.into_iter().zip(1..) {
            let label = FIRST + number * gap;
            spread.push((key.1, before, label));
            self.by_order.insert(key, label);
        }
        spread
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.by_order.keys().map(|(_, node)| *node)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_order.is_empty()
    }
}
