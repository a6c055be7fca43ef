//! The errors of edits and of received batches.

use std::fmt;

use otp_bridge::Term;

use crate::operation::NodeId;

/// Reasons why an edit is refused. The replica has not changed.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub enum EditError {
    /// `{no_node, Node}`: the node does not exist, or is deleted.
    NoNode(NodeId),
    /// `{no_sibling, Node}`: the node is not a child of this parent.
    NoSibling(NodeId),
    /// `{no_attribute, Key}`
    NoAttribute(String),
    /// `{not_indexed, Key}`
    NotIndexed(String),
    /// `{cycle, Node}`: the node would become its own descendant.
    Cycle(NodeId),
    /// `root`: the root can be neither moved nor deleted.
    Root,
    /// `{too_large, What, Limit}`
    TooLarge(String, u64),
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditError::NoNode(node) => write!(f, "there is no node {node}"),
            EditError::NoSibling(node) => write!(f, "{node} is not a child of this node"),
            EditError::NoAttribute(key) => write!(f, "the node has no attribute `{key}`"),
            EditError::NotIndexed(key) => write!(f, "there is no index of `{key}`"),
            EditError::Cycle(node) => write!(f, "{node} would be below itself"),
            EditError::Root => write!(f, "the root can be neither moved nor deleted"),
            EditError::TooLarge(what, limit) => write!(f, "the {what} is larger than {limit}"),
        }
    }
}

impl std::error::Error for EditError {}

/// Defect of a batch from another replica. The whole batch was rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed(pub String);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Malformed {}
