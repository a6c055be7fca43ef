//! Edits, and the operations that they become.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use otp_bridge::Term;

use crate::position::Position;

/// When and by which replica: `{Time, Replica}`. Times are Lamport's: an operation has a later one
/// than all that its replica knew of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Term)]
#[term(tuple)]
pub struct Stamp(pub u64, pub u64);

/// A node is named by the stamp of the operation that has created it.
pub type NodeId = Stamp;

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{:x}", self.0, self.1)
    }
}

/// How many operations of each replica are known: `#{Replica => Count}`. A version vector.
pub type Versions = BTreeMap<u64, u64>;

/// A place among the children of a node.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub enum Where {
    /// `first`
    First,
    /// `last`
    Last,
    /// `{before, Node}`
    Before(NodeId),
    /// `{'after', Node}`
    After(NodeId),
}

/// What somebody wants to change.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub enum Request {
    /// `{create, Parent, Where}`: a new node.
    Create(NodeId, Where),
    /// `{move, Node, Parent, Where}`: with all that is below it.
    Move(NodeId, NodeId, Where),
    /// `{delete, Node}`: with all that is below it.
    Delete(NodeId),
    /// `{put, Node, Key, Value}`: sets an attribute.
    Put(NodeId, String, Bytes),
    /// `{remove, Node, Key}`: removes one.
    Remove(NodeId, String),
    /// `{index, Key}`: all copies get an index of an attribute.
    Index(String),
    /// `{drop_index, Key}`: none has it any more.
    DropIndex(String),
}

/// The same as it is sent to other replicas.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub enum Edit {
    /// `{create, Parent, Position}`: the node is named by the operation's stamp.
    Create(NodeId, Position),
    /// `{move, Node, Parent, Position}`
    Move(NodeId, NodeId, Position),
    /// `{delete, Node}`
    Delete(NodeId),
    /// `{put, Node, Key, Value}`
    Put(NodeId, String, Bytes),
    /// `{remove, Node, Key}`
    Remove(NodeId, String),
}

/// An edit with its replica, and what that knew: `{operation, Stamp, Sequence, Seen, Edit}`.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
#[term(record)]
pub struct Operation {
    /// When and by whom.
    pub stamp: Stamp,
    /// The number among those of the replica, from 1.
    pub sequence: u64,
    /// What the replica knew of others.
    pub seen: Arc<Versions>,
    /// What it does.
    pub edit: Edit,
}

impl Operation {
    /// The node that it changes.
    #[must_use]
    pub fn node(&self) -> NodeId {
        match &self.edit {
            Edit::Create(..) => self.stamp,
            Edit::Move(node, ..)
            | Edit::Delete(node)
            | Edit::Put(node, ..)
            | Edit::Remove(node, _) => *node,
        }
    }

    /// About how many bytes it has.
    pub(crate) fn size(&self) -> usize {
        let own = match &self.edit {
            Edit::Put(_, key, value) => key.len() + value.len(),
            Edit::Remove(_, key) => key.len(),
            Edit::Create(_, position) | Edit::Move(_, _, position) => position.fraction.len(),
            Edit::Delete(_) => 0,
        };
        own + 64 + 16 * self.seen.len()
    }

    /// Whether whoever has made it knew the other one.
    #[must_use]
    pub fn has_seen(&self, other: &Operation) -> bool {
        if self.stamp.1 == other.stamp.1 {
            return other.sequence < self.sequence;
        }
        self.seen
            .get(&other.stamp.1)
            .is_some_and(|count| *count >= other.sequence)
    }
}
