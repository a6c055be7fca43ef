//! Reading the trees as they are shown, and notifying subscribers of changes.

use bytes::Bytes;
use jungle_merge::{EditError, NodeId};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::{Pid, Resource};

use super::calls::{Events, Range, Ranged, Select, Selected, Subscribe};
use super::{ReplicaError, Replicas};
use crate::error::Error;
use crate::node::{NodePath, Position};
use crate::otp::queries::page;
use crate::otp::shown::{ShownTrees, Subscriber};
use crate::query::{Query, Search, page_size};
use crate::view::{Event, name_at};

type Answer<T> = Result<T, ReplicaError>;

fn no_node(node: NodeId) -> ReplicaError {
    ReplicaError::Edit(EditError::NoNode(node))
}

/// Returns the present path of the node after which a page starts.
fn path_of(shown: &ShownTrees, tree: &str, after: Option<NodeId>) -> Answer<Option<NodePath>> {
    let path = |node| shown.path(tree, node).ok_or_else(|| no_node(node));
    after.map(path).transpose()
}

/// Runs a query in a process of its own, because it may visit many nodes.
pub(super) async fn select(
    shown: &Resource<ShownTrees>,
    Select(name, query, after): Select,
    cx: &Cx<'_>,
) -> Answer<Selected> {
    let after = path_of(shown, &name, after)?.or_else(|| query.after.clone());
    let query = Query { after, ..query };
    let tree = shown.handle().tree(&name)?;
    let version = tree.read().clone();
    let limit = query.page()?;
    let page = page(Search::new(&version, &query)?, limit, cx).await;
    let found = page.found.iter();
    let found = found.filter_map(|path| name_at(&version.node, path));
    let found: Vec<NodeId> = found.collect();
    let next = found.last().filter(|_| page.next.is_some()).copied();
    Ok(Selected { found, next })
}

pub(super) fn range(
    shown: &ShownTrees,
    Range(name, key, from, to, after, limit): &Range,
) -> Answer<Ranged> {
    let after = match after {
        Some((value, node)) => {
            let path = path_of(shown, name, Some(*node))?.unwrap_or_default();
            Some(((**value).into(), path))
        }
        None => None,
    };
    let limit = page_size(*limit)?;
    let tree = shown.handle().tree(name)?;
    let version = tree.read();
    let indexes = &version.indexes;
    let found = indexes.range(key, from, to, after.as_ref(), limit)?;
    let is_full = found.len() >= limit;
    let named = found.iter().filter_map(|(value, path)| {
        let node = name_at(&version.node, path)?;
        Some((Bytes::copy_from_slice(value), node))
    });
    let found: Vec<_> = named.collect();
    let next = found.last().filter(|_| is_full).cloned();
    Ok(Ranged { found, next })
}

/// Returns the node that is shown at a path.
pub(super) fn what_is(shown: &ShownTrees, tree: &str, path: &[Position]) -> Answer<NodeId> {
    let tree = shown.handle().tree(tree)?;
    let version = tree.read();
    version.node.at(path)?;
    name_at(&version.node, path).ok_or_else(|| Error::NoNode(path.to_vec()).into())
}

impl Replicas {
    /// Shows what has changed in a tree, and notifies its subscribers.
    pub(super) fn show(&mut self, name: &str, cx: &Cx<'_>) {
        if let Some(tree) = self.trees.get_mut(name) {
            let events = self.shown.update(name, tree);
            self.announce(name, &events, cx);
        }
    }

    /// Shows all trees again after they may have been replaced.
    pub(super) async fn show_all(&mut self, cx: &Cx<'_>) {
        let names: Vec<String> = self.trees.keys().cloned().collect();
        for name in names {
            self.show_anew(&name, cx).await;
        }
    }

    /// Shows a tree again after it may have been replaced.
    pub(super) async fn show_anew(&mut self, name: &str, cx: &Cx<'_>) {
        if let Some(tree) = self.trees.get_mut(name) {
            let events = cx.dirty(|| self.shown.update_all(name, tree)).await;
            self.announce(name, &events, cx);
        }
    }

    fn announce(&self, name: &str, events: &[Event], cx: &Cx<'_>) {
        if events.is_empty() {
            return;
        }
        for subscriber in self.shown.subscribers().iter().filter(|it| it.tree == name) {
            let node = subscriber.node;
            let seen = events.iter().filter(|it| it.above.contains(&node));
            let seen: Vec<_> = seen.map(|it| it.what.clone()).collect();
            if !seen.is_empty() {
                cx.send(&subscriber.process, Events(name.to_owned(), node, seen));
            }
        }
    }

    pub(super) async fn subscribe(
        &mut self,
        Subscribe(tree, node, process): Subscribe,
        cx: &Cx<'_>,
    ) -> Answer<()> {
        let replica = self.trees.get(&tree);
        let replica = replica.ok_or_else(|| ReplicaError::NoTree(tree.clone()))?;
        replica.depth(node).ok_or_else(|| no_node(node))?;
        self.shown.begin_list(&tree, replica);
        self.watch(&process, cx).await;
        let new = Subscriber {
            tree,
            node,
            process,
        };
        let mut subscribers = self.shown.subscribers();
        if !subscribers.contains(&new) {
            subscribers.push(new);
        }
        Ok(())
    }

    /// Monitors a subscriber, so that its subscriptions end with it.
    pub(super) async fn watch(&self, process: &Pid, cx: &Cx<'_>) {
        // The monitor is not removed when the process unsubscribes: it costs this process one
        // message at most.
        let _ = cx.monitor(process).await;
    }
}
