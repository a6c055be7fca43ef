//! Requests to the process of the replicated trees, and its replies.
//!
//! # What does not compile
//!
//! Sending an edit to another process:
//! ```compile_fail
//! # use jungle::otp::{database::DATABASE, replicas::Make};
//! # use jungle_merge::{ROOT, Request, Where};
//! # use otp_bridge::gen_server::prelude::*;
//! async fn add(tree: String, cx: &Cx<'_>) -> Result<bool> {
//!     let made = cx.call(&DATABASE, Make(tree, Request::Create(ROOT, Where::Last))).await?;
//!     Ok(made.is_ok())
//! }
//! ```
//! ```no_run
//! # use jungle::otp::replicas::{Make, REPLICAS};
//! # use jungle_merge::{ROOT, Request, Where};
//! # use otp_bridge::gen_server::prelude::*;
//! async fn add(tree: String, cx: &Cx<'_>) -> Result<bool> {
//!     let made = cx.call(&REPLICAS, Make(tree, Request::Create(ROOT, Where::Last))).await?;
//!     Ok(made.is_ok())
//! }
//! ```
//!
//! Sending an edit without waiting for the reply, so that its outcome stays unknown:
//! ```compile_fail
//! # use jungle::otp::replicas::{Make, REPLICAS};
//! # use jungle_merge::{NodeId, Request};
//! # use otp_bridge::gen_server::prelude::*;
//! fn delete(tree: String, node: NodeId, cx: &Cx<'_>) {
//!     cx.cast(&REPLICAS, Make(tree, Request::Delete(node)));
//! }
//! ```
//! ```no_run
//! # use jungle::otp::replicas::{Make, REPLICAS, ReplicaError};
//! # use jungle_merge::{NodeId, Request};
//! # use otp_bridge::gen_server::prelude::*;
//! async fn delete(tree: String, node: NodeId, cx: &Cx<'_>) -> Result<Option<ReplicaError>> {
//!     let made = cx.call(&REPLICAS, Make(tree, Request::Delete(node))).await?;
//!     Ok(made.err())
//! }
//! ```
//!
//! Using the name of a node whose creation may have failed:
//! ```compile_fail
//! # use jungle::otp::replicas::{Make, REPLICAS};
//! # use jungle_merge::{NodeId, ROOT, Request, Where};
//! # use otp_bridge::gen_server::prelude::*;
//! async fn add(tree: String, cx: &Cx<'_>) -> Result<NodeId> {
//!     cx.call(&REPLICAS, Make(tree, Request::Create(ROOT, Where::Last))).await
//! }
//! ```
//! ```no_run
//! # use jungle::otp::replicas::{Make, REPLICAS, ReplicaError};
//! # use jungle_merge::{NodeId, ROOT, Request, Where};
//! # use otp_bridge::gen_server::prelude::*;
//! async fn add(tree: String, cx: &Cx<'_>) -> Result<std::result::Result<NodeId, ReplicaError>> {
//!     cx.call(&REPLICAS, Make(tree, Request::Create(ROOT, Where::Last))).await
//! }
//! ```

use bytes::Bytes;
use jungle_merge::store::Replicas as Trees;
use jungle_merge::{NodeId, Overruled, Request};
use otp_bridge::{Atom, Pid, Resource, Term};

use super::ReplicaError;
use crate::node::NodePath;
use crate::otp::handle::Handle;
use crate::query::Query;
use crate::view::Happened;

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

/// `{make, Name, Request}`: makes an edit. The reply comes when the edit is on the disk.
#[derive(Debug, Clone, Term)]
#[reply(Result<NodeId, ReplicaError>)]
pub struct Make(pub String, pub Request);

/// `{locate, Name}`: returns the nodes that can be asked for a tree, the first choice first.
#[derive(Debug, Clone, Term)]
#[reply(Vec<Atom>)]
pub struct Locate(pub String);

/// A question about this node.
#[derive(Debug, Clone, Term)]
#[reply(Term)]
pub enum Question {
    /// `trees`: returns the names of all trees with a copy on this node.
    Trees,
    /// `peers`: returns the other nodes and their states.
    Peers,
}

/// `{look, Name, View}`
#[derive(Debug, Clone, Term)]
#[reply(Result<Looked, ReplicaError>)]
pub struct Look(pub String, pub View);

/// A question about a tree.
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

/// Answer to a [`View`].
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

/// `{select, Name, Query, After}`: returns nodes that a query finds, starting after a node.
#[derive(Debug, Clone, Term)]
#[reply(Result<Selected, ReplicaError>)]
pub struct Select(pub String, pub Query, pub Option<NodeId>);

/// A page of the nodes that a query finds: `#{found, next}`.
#[derive(Debug, Clone, PartialEq, Term)]
pub struct Selected {
    /// Their names, in the order of their paths.
    pub found: Vec<NodeId>,
    /// The node after which the next page starts; `undefined` if there is none.
    pub next: Option<NodeId>,
}

/// `{range, Name, Key, From, To, After, Limit}`: returns nodes by the values of an attribute.
#[derive(Debug, Clone, Term)]
#[reply(Result<Ranged, ReplicaError>)]
pub struct Range(
    pub String,
    pub String,
    pub Bytes,
    pub Bytes,
    pub Option<(Bytes, NodeId)>,
    pub usize,
);

/// A page of the nodes with values in a range: `#{found, next}`.
#[derive(Debug, Clone, PartialEq, Term)]
pub struct Ranged {
    /// Values and nodes, in the order of the values, then of the paths.
    pub found: Vec<(Bytes, NodeId)>,
    /// The value and node after which the next page starts; `undefined` if there is none.
    pub next: Option<(Bytes, NodeId)>,
}

/// `{where_is, Name, Node}`: returns the path at which this copy shows a node.
#[derive(Debug, Clone, Term)]
#[reply(Result<NodePath, ReplicaError>)]
pub struct WhereIs(pub String, pub NodeId);

/// `{what_is, Name, Path}`: returns the node that this copy shows at a path.
#[derive(Debug, Clone, Term)]
#[reply(Result<NodeId, ReplicaError>)]
pub struct WhatIs(pub String, pub NodePath);

/// `get_shown`: returns a handle of the trees that this node shows.
#[derive(Debug, Clone, Term)]
#[reply(Resource<Handle>)]
pub struct GetShown;

/// `{subscribe, Name, Node, Process}`
#[derive(Debug, Clone, Term)]
#[reply(Result<(), ReplicaError>)]
pub struct Subscribe(pub String, pub NodeId, pub Pid);

/// `{unsubscribe, Name, Node, Process}`
#[derive(Debug, Clone, Term)]
#[reply(())]
pub struct Unsubscribe(pub String, pub NodeId, pub Pid);

/// `{happened, Tree, Node, Events}`: events at and below a node.
#[derive(Debug, Clone, Term)]
#[term(tag = "happened")]
pub struct Events(pub String, pub NodeId, pub Vec<Happened>);

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
