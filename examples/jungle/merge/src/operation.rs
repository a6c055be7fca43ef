//! Edits as a client requests them, and the operations that replicas exchange.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use otp_bridge::Term;

use crate::position::Position;

/// Time and origin of an operation: `{Time, Replica}`. Times are Lamport times: an operation has a
/// later time than every operation that its replica knew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Term)]
#[term(tuple)]
pub struct Stamp(pub u64, pub u64);

/// Name of a node: the stamp of the operation that created it.
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

/// An edit that a client requests.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub enum Request {
    /// `{create, Parent, Where}`: creates a node.
    Create(NodeId, Where),
    /// `{move, Node, Parent, Where}`: moves a node with everything below it.
    Move(NodeId, NodeId, Where),
    /// `{delete, Node}`: deletes a node with everything below it.
    Delete(NodeId),
    /// `{put, Node, Key, Value}`: sets an attribute.
    Put(NodeId, String, Bytes),
    /// `{remove, Node, Key}`: removes an attribute.
    Remove(NodeId, String),
    /// `{index, Key}`: gives all copies an index of an attribute.
    Index(String),
    /// `{drop_index, Key}`: removes the index from all copies.
    DropIndex(String),
}

/// The form in which a [`Request`] is sent to other replicas: places are positions.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub enum Edit {
    /// `{create, Parent, Position}`: creates a node whose name is the operation's stamp.
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

/// An edit, its origin, and the state of knowledge in which it was made: `{operation, Stamp,
/// Sequence, Seen, Edit}`.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
#[term(record)]
pub struct Operation {
    /// The operation's time and replica.
    pub stamp: Stamp,
    /// The operation's number among those of its replica, counted from 1.
    pub sequence: u64,
    /// The operations of other replicas that the replica knew.
    pub seen: Arc<Versions>,
    /// The edit itself.
    pub edit: Edit,
}

impl Operation {
    /// Returns the node that the operation changes.
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

    /// Returns the approximate size in bytes.
    pub(crate) fn size(&self) -> usize {
        let own = match &self.edit {
            Edit::Put(_, key, value) => key.len() + value.len(),
            Edit::Remove(_, key) => key.len(),
            Edit::Create(_, position) | Edit::Move(_, _, position) => position.fraction.len(),
            Edit::Delete(_) => 0,
        };
        own + 64 + 16 * self.seen.len()
    }

    /// Returns whether this operation's replica knew the other operation when it made this one.
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
