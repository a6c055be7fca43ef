//! Reference implementation of the merge rule, simple enough to be read as its definition.

use std::collections::BTreeMap;

use bytes::Bytes;
use jungle_merge::{Edit, NodeId, Operation, Position, ROOT, Stamp, TRASH};

/// A tree as a list of its nodes in their order: the parent, the node, the attributes.
pub type Shape = Vec<(NodeId, NodeId, Vec<(String, Bytes)>)>;

/// The tree that the rule defines: it applies all operations, one after the other.
pub struct Reference {
    all: Vec<Operation>,
    /// Place of each node, and the move that put it there.
    places: BTreeMap<NodeId, (NodeId, Position, Stamp)>,
    /// The latest write of each attribute.
    writes: BTreeMap<(NodeId, String), Operation>,
}

impl Reference {
    pub fn new(all: &[Operation]) -> Self {
        let mut all = all.to_vec();
        all.sort_by_key(|operation| operation.stamp);
        let (mut places, mut writes) = (BTreeMap::new(), BTreeMap::new());
        for operation in &all {
            let node = operation.node();
            let (parent, position) = match &operation.edit {
                Edit::Put(_, key, _) | Edit::Remove(_, key) => {
                    writes.insert((node, key.clone()), operation.clone());
                    continue;
                }
                Edit::Create(parent, position) | Edit::Move(_, parent, position) => {
                    (*parent, position.clone())
                }
                Edit::Delete(_) => (TRASH, Position::default()),
            };
            if !path(&places, parent).contains(&node) {
                places.insert(node, (parent, position, operation.stamp));
            }
        }
        Reference {
            all,
            places,
            writes,
        }
    }

    pub fn shape(&self) -> Shape {
        let mut children: BTreeMap<NodeId, BTreeMap<(&Position, NodeId), NodeId>> = BTreeMap::new();
        for (node, (parent, position, _)) in &self.places {
            let children = children.entry(*parent).or_default();
            children.insert((position, *node), *node);
        }
        let mut attributes: BTreeMap<NodeId, Vec<(String, Bytes)>> = BTreeMap::new();
        for ((node, key), write) in &self.writes {
            if let Edit::Put(_, _, value) = &write.edit {
                let all = attributes.entry(*node).or_default();
                all.push((key.clone(), value.clone()));
            }
        }
        let (mut shape, mut left) = (Vec::new(), vec![(ROOT, ROOT)]);
        while let Some((parent, node)) = left.pop() {
            let own = attributes.get(&node).cloned().unwrap_or_default();
            shape.push((parent, node, own));
            let below = children.get(&node).into_iter();
            let below = below.flat_map(|all| all.values().rev());
            left.extend(below.map(|child| (node, *child)));
        }
        shape
    }

    /// Returns the stamps of edits without an effect, except those that a later edit, made with
    /// knowledge of them, changed.
    pub fn overruled(&self) -> Vec<Stamp> {
        let mut by_target: BTreeMap<(NodeId, Option<&str>), Vec<&Operation>> = BTreeMap::new();
        for operation in &self.all {
            let target = (operation.node(), key(operation));
            by_target.entry(target).or_default().push(operation);
        }
        let deletions: BTreeMap<Stamp, &Operation> =
            self.all.iter().map(|it| (it.stamp, it)).collect();
        let is_overruled = |operation: &&Operation| {
            let node = operation.node();
            let mut same = by_target[&(node, key(operation))].iter();
            if same.any(|other| other.has_seen(operation)) {
                return false;
            }
            let is_latest = match key(operation) {
                Some(key) => self.writes[&(node, key.to_owned())].stamp == operation.stamp,
                None => self
                    .places
                    .get(&node)
                    .is_some_and(|at| at.2 == operation.stamp),
            };
            let path = path(&self.places, node);
            let deleted = path
                .iter()
                .find(|at| self.places.get(at).is_some_and(|it| it.0 == TRASH));
            let unseen = deleted.is_some_and(|top| {
                let deletion = deletions[&self.places[top].2];
                deletion.stamp != operation.stamp && !deletion.has_seen(operation)
            });
            !is_latest || unseen
        };
        let overruled = self.all.iter().filter(is_overruled);
        overruled.map(|operation| operation.stamp).collect()
    }
}

/// Returns the attribute that the operation writes.
pub fn key(operation: &Operation) -> Option<&str> {
    match &operation.edit {
        Edit::Put(_, key, _) | Edit::Remove(_, key) => Some(key),
        _ => None,
    }
}

/// Returns the node, its parent, its parent's parent and so on.
fn path(places: &BTreeMap<NodeId, (NodeId, Position, Stamp)>, node: NodeId) -> Vec<NodeId> {
    std::iter::successors(Some(node), |at| places.get(at).map(|place| place.0)).collect()
}
