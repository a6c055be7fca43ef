//! What the process is asked.
//!
//! # What does not compile
//!
//! An edit is a call of this process, and of no other one:
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
//! Whoever does not wait for it does not know whether it was made:
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
//! A node that could not be created has no name:
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

/// `{select, Name, Query, After}`: nodes that a query finds, after another one.
#[derive(Debug, Clone, Term)]
#[reply(Result<Selected, ReplicaError>)]
pub struct Select(pub String, pub Query, pub Option<NodeId>);

/// Some of the nodes that a query finds: `#{found, next}`.
#[derive(Debug, Clone, PartialEq, Term)]
pub struct Selected {
    /// Their names, in the order of their paths.
    pub found: Vec<NodeId>,
    /// After which node the next page begins; `undefined` if there is none.
    pub next: Option<NodeId>,
}

/// `{range, Name, Key, From, To, After, Limit}`: nodes by the values of an attribute.
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

/// Some of the nodes with values in a range: `#{found, next}`.
#[derive(Debug, Clone, PartialEq, Term)]
pub struct Ranged {
    /// Values and nodes, in the order of the values, then of the paths.
    pub found: Vec<(Bytes, NodeId)>,
    /// After what the next page begins; `undefined` if there is none.
    pub next: Option<(Bytes, NodeId)>,
}

/// `{where_is, Name, Node}`: the path at which a node is shown there.
#[derive(Debug, Clone, Term)]
#[reply(Result<NodePath, ReplicaError>)]
pub struct WhereIs(pub String, pub NodeId);

/// `{what_is, Name, Path}`: the node that is shown there.
#[derive(Debug, Clone, Term)]
#[reply(Result<NodeId, ReplicaError>)]
pub struct WhatIs(pub String, pub NodePath);

/// `get_shown`: the handle of the trees that this node shows.
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

/// `{happened, Tree, Node, Events}`: what has happened at and below a node.
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
