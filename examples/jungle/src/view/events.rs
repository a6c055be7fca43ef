//! Events: what an update of a view changes, as subscribers see it.

use std::collections::{BTreeMap, HashSet};

use bytes::Bytes;
use jungle_merge::{NodeId, Overruled, Position, Stamp};
use otp_bridge::Term;

use super::View;

/// An event. Nodes are named by the operations that created them.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub enum Happened {
    /// `{created, Node, Parent}`: the node exists now. If it had been deleted before, everything
    /// below it is back as well.
    Created(NodeId, NodeId),
    /// `{moved, Node, Parent}`: the node has a new parent, or a new place among its siblings.
    /// Everything below it moved along.
    Moved(NodeId, NodeId),
    /// `{deleted, Node}`: the node is deleted with everything below it.
    Deleted(NodeId),
    /// `{put, Node, Key, Value}`
    Put(NodeId, String, Bytes),
    /// `{removed, Node, Key}`
    Removed(NodeId, String),
    /// `{overruled, Operation, By}`: an edit has lost its effect, because of a concurrent edit.
    #[term(untagged)]
    Overruled(Overruled),
    /// `{settled, Stamp}`: the edit is no longer listed as overruled.
    Settled(Stamp),
}

impl Happened {
    /// Returns the node that the event is about.
    #[must_use]
    pub fn node(&self) -> Option<NodeId> {
        match self {
            Happened::Created(node, _)
            | Happened::Moved(node, _)
            | Happened::Deleted(node)
            | Happened::Put(node, ..)
            | Happened::Removed(node, _) => Some(*node),
            Happened::Overruled(overruled) => Some(overruled.operation.node()),
            Happened::Settled(_) => None,
        }
    }
}

/// An event, and the nodes below which it happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The event.
    pub what: Happened,
    /// The node, and all its ancestors before and after the event.
    pub above: HashSet<NodeId>,
}

/// State of a shown node.
#[derive(Debug, PartialEq)]
struct State {
    parent: NodeId,
    position: Option<Position>,
    attributes: BTreeMap<String, Bytes>,
    above: HashSet<NodeId>,
}

/// The nodes' states before an update.
pub(super) struct Before(BTreeMap<NodeId, Option<State>>);

impl View {
    fn state(&self, node: NodeId) -> Option<State> {
        let path = self.path(node)?;
        let shown = self.root.at(&path).ok()?;
        let place = self.locations.get(&node);
        let attributes = shown.attributes();
        let attributes = attributes.map(|(key, value)| {
            let value = Bytes::copy_from_slice(value);
            (key.to_string(), value)
        });
        Some(State {
            parent: place.map_or(node, |place| place.parent),
            position: place.map(|place| place.position.clone()),
            attributes: attributes.collect(),
            above: self.above(node).into_iter().collect(),
        })
    }

    pub(super) fn before(&self, touched: &HashSet<NodeId>) -> Before {
        let nodes = touched.iter().map(|node| (*node, self.state(*node)));
        Before(nodes.collect())
    }

    /// Returns the differences between the states before and now.
    pub(super) fn events(&self, Before(before): Before) -> Vec<Event> {
        let mut events = Vec::new();
        for (node, old) in before {
            let new = self.state(node);
            let states = old.iter().chain(&new);
            let above: HashSet<_> = states.flat_map(|it| it.above.iter().copied()).collect();
            let happened = differences(node, old, new).into_iter();
            events.extend(happened.map(|what| Event {
                what,
                above: above.clone(),
            }));
        }
        events
    }
}

fn differences(node: NodeId, old: Option<State>, new: Option<State>) -> Vec<Happened> {
    let mut found = Vec::new();
    let Some(new) = new else {
        return old.map(|_| Happened::Deleted(node)).into_iter().collect();
    };
    let before = match old {
        None => {
            found.push(Happened::Created(node, new.parent));
            BTreeMap::new()
        }
        Some(old) => {
            if (old.parent, &old.position) != (new.parent, &new.position) {
                found.push(Happened::Moved(node, new.parent));
            }
            old.attributes
        }
    };
    for key in before
        .keys()
        .filter(|key| !new.attributes.contains_key(*key))
    {
        found.push(Happened::Removed(node, key.clone()));
    }
    for (key, value) in new.attributes {
        if before.get(&key) != Some(&value) {
            found.push(Happened::Put(node, key, value));
        }
    }
    found
}
