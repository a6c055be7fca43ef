//! Messages about nodes: `net_kernel:monitor_nodes/1,2`.

use crate::{Atom, Term};

/// `{nodeup, Node}`: a node has been connected.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Term)]
#[term(record, tag = "nodeup")]
pub struct NodeUp {
    /// The node.
    pub node: Atom,
}

/// `{nodedown, Node}`: a node is not connected any more.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Term)]
#[term(record, tag = "nodedown")]
pub struct NodeDown {
    /// The node.
    pub node: Atom,
}

/// `{nodeup, Node, Info}`: a node has been connected, if options were passed.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(record, tag = "nodeup")]
pub struct NodeUpInfo<Info = NodeInfo> {
    /// The node.
    pub node: Atom,
    /// The details that the options request.
    pub info: Info,
}

/// `{nodedown, Node, Info}`: a node is not connected any more, if options were passed.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(record, tag = "nodedown")]
pub struct NodeDownInfo<Info = NodeInfo> {
    /// The node.
    pub node: Atom,
    /// The details that the options request.
    pub info: Info,
}

/// OTP's details about a node, if the options are a map: `#{node_type => Type, …}`. If they are a
/// list, it is `Vec<(Atom, Term)>`.
#[derive(Debug, Clone, PartialEq, Term)]
pub struct NodeInfo {
    /// `visible` or `hidden`
    #[term(optional)]
    pub node_type: Option<Atom>,
    /// The reason why the connection has ended, such as `connection_closed`.
    #[term(optional)]
    pub nodedown_reason: Option<Term>,
    /// The connection. A node that connects again has another one.
    #[term(optional)]
    pub connection_id: Option<Term>,
}
