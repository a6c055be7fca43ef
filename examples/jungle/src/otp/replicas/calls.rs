//! What the process is asked.

use bytes::Bytes;
use jungle_merge::store::Replicas as Trees;
use jungle_merge::{NodeId, Overruled, Request};
use otp_bridge::{Atom, Term};

use super::ReplicaError;

/// `{create, Name}`
#[derive(Debug, Clone, Term)]
#[reply(Created)]
pub struct Create(pub String);

/// `ok | {error, Reason}`
#[derive(Debug, Clone, Term)]
pub enum Created {
    /// `ok`
    Ok,
    /// `{error, Reason}`
    Error(ReplicaError),
}

/// `{make, Name, Request}`: answered when it is on the disk.
#[derive(Debug, Clone, Term)]
#[reply(Result<NodeId, ReplicaError>)]
pub struct Make(pub String, pub Request);

/// `{locate, Name}`: the nodes to ask, the first one first.
#[derive(Debug, Clone, Term)]
#[reply(Vec<Atom>)]
pub struct Locate(pub String);

/// What this node has.
#[derive(Debug, Clone, Term)]
#[reply(Term)]
pub enum Question {
    /// `trees`: the names of all that it has.
    Trees,
    /// `peers`: nodes, and what is known of them.
    Peers,
}

/// `{look, Name, View}`
#[derive(Debug, Clone, Term)]
#[reply(Result<Looked, ReplicaError>)]
pub struct Look(pub String, pub View);

/// What one wants to see of a tree.
#[derive(Debug, Clone, Term)]
pub enum View {
    /// `{children, Node}`
    Children(NodeId),
    /// `{attributes, Node}`
    Attributes(NodeId),
    /// `{parent, Node}`
    Parent(NodeId),
    /// `size`
    Size,
    /// `overruled`
    Overruled,
}

/// What one sees.
#[derive(Debug, Clone, Term)]
pub enum Looked {
    /// `{nodes, Nodes}`
    Nodes(Vec<NodeId>),
    /// `{attributes, Attributes}`
    Attributes(Vec<(String, Bytes)>),
    /// `{parent, Node}`
    Parent(Option<NodeId>),
    /// `{size, Size}`
    Size(usize),
    /// `{overruled, Edits}`
    Overruled(Vec<Overruled>),
}

pub(super) fn look(trees: &Trees, Look(name, view): &Look) -> Result<Looked, ReplicaError> {
    let tree = trees.get(name);
    let tree = tree.ok_or_else(|| ReplicaError::NoTree(name.clone()))?;
    let looked = match view {
        View::Children(node) => tree.children(*node).map(Looked::Nodes),
        View::Attributes(node) => tree.attributes(*node).map(Looked::Attributes),
        View::Parent(node) => tree.parent(*node).map(Looked::Parent),
        View::Size => Ok(Looked::Size(tree.size())),
        View::Overruled => Ok(Looked::Overruled(tree.overruled())),
    };
    looked.map_err(ReplicaError::Edit)
}
