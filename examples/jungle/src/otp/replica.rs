//! The module `jungle_replica` for Erlang and Elixir: trees with copies on several nodes.

use jungle_merge::NodeId;
use otp_bridge::process::{SentTo, Subscriber};
use otp_bridge::{Atom, module};

use super::replicas::{Events, ReplicaError, Subscribe};

/// Subscribes this process to [`Events`] at and below a tree node, wherever the node is moved:
/// edits of any Erlang node, and edits that become overruled. Returns the Erlang node that sends
/// the events. If that node is lost, subscribe again.
///
/// # Errors
/// Those of [`otp_bridge::Cx::call`]; also a node that is lost or does not know the tree.
pub async fn subscribe<P>(
    tree: String,
    node: NodeId,
    subscriber: Subscriber<'_, P>,
) -> otp_bridge::Result<Result<Atom, ReplicaError>>
where
    Events: SentTo<P>,
{
    let cx = subscriber.cx();
    let (server, of) = functions::placed(&tree, cx).await?;
    let subscribed = cx.call(&server, Subscribe(tree, node, cx.pid())).await;
    let subscribed = subscribed.unwrap_or(Err(ReplicaError::Lost(of.clone())));
    Ok(subscribed.map(|()| of))
}

/// Trees with copies on several nodes. Each node can edit its copy, also while it is not connected
/// to the others. The nodes of a tree are named by the edits that created them.
///
/// ```text
/// 1> ok = jungle_replica:create_tree(<<"garden">>).
/// 2> {ok, Plant} = jungle_replica:edit(<<"garden">>, {create, jungle_replica:root(), last}).
/// 3> jungle_replica:edit(<<"garden">>, {put, Plant, <<"name">>, <<"oak">>}).
/// 4> jungle_replica:attributes(<<"garden">>, Plant).
/// {ok,[{<<"name">>,<<"oak">>}]}
/// ```
#[module("jungle_replica")]
pub mod functions {
    use bytes::Bytes;
    use jungle_merge::{NodeId, Overruled, ROOT, Request};
    use otp_bridge::gen_server::Server;
    use otp_bridge::{Atom, Cx, Resource, atom};

    use crate::node::NodePath;
    use crate::otp::handle::Handle;
    use crate::otp::replicas::{
        Create, Created, GetShown, Locate, Look, Looked, Make, PeerState, Question, REPLICAS,
        Range, Ranged, ReplicaError, Replicas, Select, Selected, Unsubscribe, View, WhatIs,
        WhereIs,
    };

    use crate::query::Query;

    type Answer<T> = Result<T, ReplicaError>;

    /// The root of every tree.
    pub fn root() -> NodeId {
        ROOT
    }

    /// Creates a tree, and stores copies on the nodes that placement chooses.
    pub async fn create_tree(tree: String, cx: &Cx<'_>) -> otp_bridge::Result<Created> {
        let server = placed(&tree, cx).await?;
        let created = cx.call(&server.0, Create(tree)).await;
        Ok(created.unwrap_or(Created::Error(ReplicaError::Lost(server.1))))
    }

    /// Creates a tree with indexes of these attributes on each node.
    #[erlang(name = "create_tree")]
    pub async fn create_tree_with(
        tree: String,
        indexed: Vec<String>,
        cx: &Cx<'_>,
    ) -> otp_bridge::Result<Created> {
        let server = placed(&tree, cx).await?.0;
        let created = create_tree(tree.clone(), cx).await?;
        if let Created::Error(_) = created {
            return Ok(created);
        }
        for key in indexed {
            let made = cx
                .call(&server, Make(tree.clone(), Request::Index(key)))
                .await?;
            if let Err(error) = made {
                return Ok(Created::Error(error));
            }
        }
        Ok(created)
    }

    /// Returns a handle of the replicated trees with a copy on this node. `jungle`, `jungle_query`,
    /// `jungle_versions` and `jungle_watch` read them like other trees. Versions and positions are
    /// specific to this copy. Only `edit` changes these trees: writes through the handle return
    /// `replicated`.
    pub async fn database(cx: &Cx<'_>) -> otp_bridge::Result<Answer<Resource<Handle>>> {
        Ok(Ok(cx.call(&REPLICAS, GetShown).await?))
    }

    /// Returns a page of the nodes that a query finds. This node does not need a copy of the tree.
    pub async fn select(
        tree: String,
        query: Query,
        cx: &Cx<'_>,
    ) -> otp_bridge::Result<Answer<Selected>> {
        select_after(tree, query, None, cx).await
    }

    /// Like `select`, but starts after a node: returns the next page, which may come from another
    /// copy.
    #[erlang(name = "select")]
    pub async fn select_after(
        tree: String,
        query: Query,
        after: Option<NodeId>,
        cx: &Cx<'_>,
    ) -> otp_bridge::Result<Answer<Selected>> {
        let (server, node) = placed(&tree, cx).await?;
        let selected = cx.call(&server, Select(tree, query, after)).await;
        Ok(selected.unwrap_or(Err(ReplicaError::Lost(node))))
    }

    /// Returns the first nodes whose indexed attribute is between two values, both included, in the
    /// order of the values.
    pub async fn range(
        tree: String,
        key: String,
        from: Bytes,
        to: Bytes,
        limit: usize,
        cx: &Cx<'_>,
    ) -> otp_bridge::Result<Answer<Ranged>> {
        range_after(tree, key, from, to, None, limit, cx).await
    }

    /// Like `range`, but starts after a value and a node: returns the next page.
    #[erlang(name = "range")]
    pub async fn range_after(
        tree: String,
        key: String,
        from: Bytes,
        to: Bytes,
        after: Option<(Bytes, NodeId)>,
        limit: usize,
        cx: &Cx<'_>,
    ) -> otp_bridge::Result<Answer<Ranged>> {
        let (server, node) = placed(&tree, cx).await?;
        let asked = Range(tree, key, from, to, after, limit);
        let ranged = cx.call(&server, asked).await;
        Ok(ranged.unwrap_or(Err(ReplicaError::Lost(node))))
    }

    /// Returns the path at which this node's copy shows a tree node.
    pub async fn path(
        tree: String,
        node: NodeId,
        cx: &Cx<'_>,
    ) -> otp_bridge::Result<Answer<NodePath>> {
        cx.call(&REPLICAS, WhereIs(tree, node)).await
    }

    /// Returns the tree node that this node's copy shows at a path.
    pub async fn node_at(
        tree: String,
        path: NodePath,
        cx: &Cx<'_>,
    ) -> otp_bridge::Result<Answer<NodeId>> {
        cx.call(&REPLICAS, WhatIs(tree, path)).await
    }

    /// Subscribes this process to `{happened, Tree, Node, Events}` messages about a tree node and
    /// everything below it, wherever it is moved: edits of any Erlang node, and edits that become
    /// overruled. Returns the Erlang node that sends the messages. If that node is lost, subscribe
    /// again.
    pub async fn subscribe(
        tree: String,
        node: NodeId,
        cx: &Cx<'_>,
    ) -> otp_bridge::Result<Answer<Atom>> {
        super::subscribe(tree, node, cx.subscriber().that_receives()).await
    }

    /// Cancels a subscription. Messages that were sent before may still arrive.
    pub async fn unsubscribe(tree: String, node: NodeId, cx: &Cx<'_>) -> otp_bridge::Result<()> {
        let (server, _) = placed(&tree, cx).await?;
        cx.call(&server, Unsubscribe(tree, node, cx.pid())).await
    }

    /// Makes an edit, and returns when it is on the disk of one node. Returns the edit's stamp,
    /// which is also the name of the node that a `create` makes.
    pub async fn edit(
        tree: String,
        request: Request,
        cx: &Cx<'_>,
    ) -> otp_bridge::Result<Answer<NodeId>> {
        let server = placed(&tree, cx).await?;
        let made = cx.call(&server.0, Make(tree, request)).await;
        Ok(made.unwrap_or(Err(ReplicaError::Lost(server.1))))
    }

    /// Returns the children of a node, in order.
    pub async fn children(
        tree: String,
        node: NodeId,
        cx: &Cx<'_>,
    ) -> otp_bridge::Result<Answer<Vec<NodeId>>> {
        look(tree, View::Children(node), cx, |it| match it {
            Looked::Nodes(nodes) => Some(nodes),
            _ => None,
        })
        .await
    }

    /// Returns the attributes of a node, in the order of their keys.
    pub async fn attributes(
        tree: String,
        node: NodeId,
        cx: &Cx<'_>,
    ) -> otp_bridge::Result<Answer<Vec<(String, Bytes)>>> {
        look(tree, View::Attributes(node), cx, |it| match it {
            Looked::Attributes(attributes) => Some(attributes),
            _ => None,
        })
        .await
    }

    /// Returns the parent of a node; `undefined` for the root.
    pub async fn parent(
        tree: String,
        node: NodeId,
        cx: &Cx<'_>,
    ) -> otp_bridge::Result<Answer<Option<NodeId>>> {
        look(tree, View::Parent(node), cx, |it| match it {
            Looked::Parent(parent) => Some(parent),
            _ => None,
        })
        .await
    }

    /// Returns the number of nodes in a tree, with the root.
    pub async fn size(tree: String, cx: &Cx<'_>) -> otp_bridge::Result<Answer<usize>> {
        look(tree, View::Size, cx, |it| match it {
            Looked::Size(size) => Some(size),
            _ => None,
        })
        .await
    }

    /// Returns the edits that have no effect because of concurrent edits, and what overrules each
    /// of them.
    pub async fn overruled(
        tree: String,
        cx: &Cx<'_>,
    ) -> otp_bridge::Result<Answer<Vec<Overruled>>> {
        look(tree, View::Overruled, cx, |it| match it {
            Looked::Overruled(edits) => Some(edits),
            _ => None,
        })
        .await
    }

    /// Returns the names of the trees with a copy on this node.
    pub async fn trees(cx: &Cx<'_>) -> otp_bridge::Result<Vec<String>> {
        let trees = cx.call(&REPLICAS, Question::Trees).await?;
        Ok(trees.decode()?)
    }

    /// Returns the nodes that are asked for a tree, the first choice first.
    pub async fn placed_on(tree: String, cx: &Cx<'_>) -> otp_bridge::Result<Vec<Atom>> {
        cx.call(&REPLICAS, Locate(tree)).await
    }

    /// Returns the state of the other nodes that have replicated trees: connected, lost, or refused
    /// and why.
    pub async fn peers(cx: &Cx<'_>) -> otp_bridge::Result<Vec<(Atom, PeerState)>> {
        let peers = cx.call(&REPLICAS, Question::Peers).await?;
        Ok(peers.decode()?)
    }

    pub(super) async fn placed(
        tree: &str,
        cx: &Cx<'_>,
    ) -> otp_bridge::Result<(Server<Replicas>, Atom)> {
        let nodes = cx.call(&REPLICAS, Locate(tree.to_owned())).await?;
        let node = match nodes.into_iter().next() {
            Some(node) => node,
            None => otp_bridge::process::Nodes::node(cx).await?,
        };
        Ok((
            Server::on_node(atom!("jungle_replicas"), node.clone()),
            node,
        ))
    }

    async fn look<T>(
        tree: String,
        view: View,
        cx: &Cx<'_>,
        of: fn(Looked) -> Option<T>,
    ) -> otp_bridge::Result<Answer<T>> {
        let (server, node) = placed(&tree, cx).await?;
        let looked = cx.call(&server, Look(tree, view)).await;
        let looked = looked.unwrap_or(Err(ReplicaError::Lost(node.clone())));
        Ok(looked.and_then(|it| of(it).ok_or(ReplicaError::Lost(node))))
    }
}
