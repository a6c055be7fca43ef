//! Shows a replicated tree as an ordinary, immutable tree. After a merge, the view edits only the
//! nodes whose final state has changed, even if the replica undid and redid many moves to get
//! there.
//!
//! A node that moves takes everything below it along, as one reference. Positions are numbers in
//! the order of the children. They are specific to this copy: another copy may have others.

mod events;
mod labels;

use std::collections::{HashMap, HashSet};

use jungle_merge::{MAX_DEPTH, NodeId, Position, ROOT, Replica, Stamp};

use crate::node::{Node, NodePath};
pub use events::{Event, Happened};
use labels::{Label, Labels};

/// The shown form of a replicated tree.
#[derive(Debug, Default)]
pub struct View {
    root: Node,
    locations: HashMap<NodeId, Location>,
    children: HashMap<NodeId, Labels>,
    /// Whether nodes are left out because they are too deep. The view is then rebuilt after each
    /// edit.
    is_cut: bool,
}

#[derive(Debug)]
struct Location {
    parent: NodeId,
    position: Position,
    label: Label,
}

/// Returns the node of the replicated tree that is shown at a path, in any version.
#[must_use]
pub fn name_at(root: &Node, path: &[Label]) -> Option<NodeId> {
    // The root always has the same name, even before anything is shown.
    let name = root.at(path).ok()?.name();
    let name = name.map(|(time, replica)| Stamp(time, replica));
    name.or_else(|| path.is_empty().then_some(ROOT))
}

/// Subtrees that were taken out, and not put in at their new places yet.
type Held = HashMap<NodeId, Node>;

impl View {
    /// Returns the root.
    #[must_use]
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// Returns the path at which a node is shown.
    #[must_use]
    pub fn path(&self, node: NodeId) -> Option<NodePath> {
        let mut path = NodePath::new();
        let mut at = node;
        while at != ROOT {
            let place = self.locations.get(&at)?;
            path.push(place.label);
            at = place.parent;
        }
        path.reverse();
        Some(path)
    }

    /// Returns the node that is shown at a path.
    #[must_use]
    pub fn node_at(&self, path: &[Label]) -> Option<NodeId> {
        name_at(&self.root, path)
    }

    /// Returns a shown node and all its ancestors.
    #[must_use]
    pub fn above(&self, node: NodeId) -> Vec<NodeId> {
        let parent = |at: &NodeId| self.locations.get(at).map(|place| place.parent);
        std::iter::successors(Some(node), parent).collect()
    }

    /// Follows a replica in which the `touched` nodes may have changed. Returns the events if
    /// `is_told`.
    pub fn update(
        &mut self,
        replica: &Replica,
        touched: &HashSet<NodeId>,
        is_told: bool,
    ) -> Vec<Event> {
        let before = is_told.then(|| self.before(touched));
        if !self.is_cut {
            self.follow(replica, touched);
        }
        if self.is_cut {
            self.make_anew(replica);
        }
        before.map_or_else(Vec::new, |before| self.events(before))
    }

    /// Like `update`, but any node may have changed.
    pub fn update_all(&mut self, replica: &Replica, is_told: bool) -> Vec<Event> {
        let all = self.all(replica);
        self.update(replica, &all, is_told)
    }

    /// Returns all nodes that the view shows or the replica has.
    #[must_use]
    pub fn all(&self, replica: &Replica) -> HashSet<NodeId> {
        let mut all: HashSet<NodeId> = replica.nodes().collect();
        all.extend(self.locations.keys());
        all
    }

    fn follow(&mut self, replica: &Replica, touched: &HashSet<NodeId>) {
        let mut held = Held::new();
        // Descendants are taken out before their ancestors, and put back after them.
        let left = touched.iter().filter(|node| self.has_left(replica, **node));
        let mut left: Vec<_> = left.map(|node| (self.above(*node).len(), *node)).collect();
        left.sort_unstable_by(|one, other| other.cmp(one));
        for (_, node) in left {
            self.take_out(node, &mut held);
        }
        let is_new = |node: &&NodeId| **node != ROOT && !self.locations.contains_key(node);
        let new = touched.iter().filter(is_new);
        let mut new: Vec<_> = new
            .filter_map(|node| Some((replica.depth(*node)?, *node)))
            .collect();
        new.sort_unstable();
        for (depth, node) in new {
            if !self.locations.contains_key(&node) {
                self.put_in(replica, node, depth, &mut held);
            }
        }
        held.into_keys().for_each(|node| self.forget_below(node));
        for node in touched {
            self.write(replica, *node);
        }
    }

    fn has_left(&self, replica: &Replica, node: NodeId) -> bool {
        let Some(shown) = self.locations.get(&node) else {
            return false;
        };
        let is_there = replica.parent_and_position(node) == Some((shown.parent, &shown.position));
        !is_there || replica.depth(node).is_none()
    }

    fn take_out(&mut self, node: NodeId, held: &mut Held) {
        let Some(mut path) = self.path(node) else {
            return;
        };
        let found = self.root.at(&path).cloned();
        if let (Ok(found), Some(label)) = (found, path.pop())
            && let Ok(root) = self.root.delete_child_at(&path, label)
        {
            self.root = root;
            held.insert(node, found);
        }
        self.forget(node);
    }

    fn put_in(&mut self, replica: &Replica, node: NodeId, depth: usize, held: &mut Held) {
        let place = replica.parent_and_position(node);
        let place =
            place.filter(|(parent, _)| *parent == ROOT || self.locations.contains_key(parent));
        let Some((parent, position)) = place.filter(|_| depth <= MAX_DEPTH) else {
            self.is_cut = true;
            return;
        };
        let shown = match held.remove(&node) {
            Some(shown) => shown,
            None => self.built(replica, node, depth, held),
        };
        let label = self.label(parent, node, position);
        let path = self.path(parent).unwrap_or_default();
        match self.root.put_child_at(&path, label, shown) {
            Ok(root) => self.root = root,
            // With its descendants, the node is now too deep.
            Err(_) => self.is_cut = true,
        }
    }

    /// Builds a node with everything below it. Subtrees that are held are reused.
    fn built(&mut self, replica: &Replica, node: NodeId, depth: usize, held: &mut Held) -> Node {
        let mut built = Node::named((node.0, node.1));
        for (key, value) in replica.attributes(node).unwrap_or_default() {
            built = built.put_attribute(&[], &key, &*value).unwrap_or(built);
        }
        for (position, child) in replica.placed_children(node) {
            if depth >= MAX_DEPTH {
                self.is_cut = true;
                break;
            }
            let shown = match held.remove(&child) {
                Some(shown) => shown,
                None => self.built(replica, child, depth + 1, held),
            };
            // The siblings before this one are in order, so there is a number after theirs.
            let labels = self.children.entry(node).or_default();
            let Some(label) = labels.insert(position, child) else {
                self.is_cut = true;
                break;
            };
            self.locate(child, node, position, label);
            match built.put_child_at(&[], label, shown) {
                Ok(edited) => built = edited,
                Err(_) => self.is_cut = true,
            }
        }
        built
    }

    fn locate(&mut self, node: NodeId, parent: NodeId, position: &Position, label: Label) {
        let location = Location {
            parent,
            position: position.clone(),
            label,
        };
        self.locations.insert(node, location);
    }

    /// Returns a number for a new child. If there is no free number at its place, all children get
    /// new ones.
    fn label(&mut self, parent: NodeId, node: NodeId, position: &Position) -> Label {
        let labels = self.children.entry(parent).or_default();
        let label = match labels.insert(position, node) {
            Some(label) => label,
            None => {
                let spread = labels.spread(position, node);
                self.relabel(parent, &spread)
            }
        };
        self.locate(node, parent, position, label);
        label
    }

    fn relabel(&mut self, parent: NodeId, spread: &[(NodeId, Option<Label>, Label)]) -> Label {
        let path = self.path(parent).unwrap_or_default();
        let before = self.root.at(&path).cloned().unwrap_or_default();
        let mut edited = before.clone();
        for label in spread.iter().filter_map(|it| it.1) {
            edited = edited.delete_child_at(&[], label).unwrap_or(edited);
        }
        let mut new = 0;
        for (node, old, label) in spread {
            let Some(old) = old else {
                new = *label;
                continue;
            };
            if let Some(child) = before.child(*old) {
                let put = edited.put_child_at(&[], *label, child.clone());
                edited = put.unwrap_or(edited);
            }
            if let Some(place) = self.locations.get_mut(node) {
                place.label = *label;
            }
        }
        let put = match path.split_last() {
            Some((last, above)) => self.root.put_child_at(above, *last, edited),
            None => Ok(edited),
        };
        match put {
            Ok(root) => self.root = root,
            Err(_) => self.is_cut = true,
        }
        new
    }

    /// Writes the attributes of a node as the replica has them.
    fn write(&mut self, replica: &Replica, node: NodeId) {
        let (Some(path), Ok(attributes)) = (self.path(node), replica.attributes(node)) else {
            return;
        };
        let Ok(shown) = self.root.at(&path).cloned() else {
            return;
        };
        let mut edited = shown.clone();
        for (key, _) in shown.attributes() {
            if !attributes.iter().any(|(other, _)| **key == *other) {
                edited = edited.delete_attribute(&[], key).unwrap_or(edited);
            }
        }
        for (key, value) in attributes {
            if shown
                .attribute(&key.as_str().into())
                .is_none_or(|old| **old != *value)
            {
                edited = edited.put_attribute(&[], &key, &*value).unwrap_or(edited);
            }
        }
        if edited.is_same(&shown) {
            return;
        }
        let put = match path.split_last() {
            Some((last, above)) => self.root.put_child_at(above, *last, edited),
            None => Ok(edited),
        };
        self.root = put.unwrap_or_else(|_| self.root.clone());
    }

    fn forget(&mut self, node: NodeId) {
        if let Some(place) = self.locations.remove(&node)
            && let Some(labels) = self.children.get_mut(&place.parent)
        {
            labels.remove(&place.position, node);
            if labels.is_empty() {
                self.children.remove(&place.parent);
            }
        }
    }

    fn forget_below(&mut self, node: NodeId) {
        let mut left = vec![node];
        while let Some(at) = left.pop() {
            let below = self.children.remove(&at);
            for child in below.iter().flat_map(Labels::nodes) {
                self.locations.remove(&child);
                left.push(child);
            }
        }
    }

    fn make_anew(&mut self, replica: &Replica) {
        *self = View::default();
        self.root = self.built(replica, ROOT, 0, &mut Held::new());
    }
}
