//! The replicated trees of this node in a form that processes read like any other trees of a
//! jungle. They outlive the process that holds the replicas.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jungle_merge::{NodeId, Overruled, Replica, Stamp};
use otp_bridge::{Pid, Resource};

use super::handle::Handle;
use crate::jungle::create_jungle;
use crate::node::NodePath;
use crate::show::Show;
use crate::view::{Event, Happened, View};

/// The trees, and the processes that subscribe to their changes.
#[derive(Resource)]
#[resource(module = "jungle_replica", name = "shown_trees")]
pub struct ShownTrees {
    handle: Resource<Handle>,
    trees: Mutex<BTreeMap<String, Shown>>,
    subscribers: Mutex<Vec<Subscriber>>,
}

struct Shown {
    show: Show,
    view: View,
    /// The overruled edits, maintained only while a process subscribes to the tree.
    overruled: Option<BTreeMap<Stamp, NodeId>>,
}

/// A process that subscribes to events at and below a node.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Subscriber {
    pub(super) tree: String,
    pub(super) node: NodeId,
    pub(super) process: Pid,
}

impl fmt::Debug for ShownTrees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} shown trees", lock(&self.trees).len())
    }
}

impl ShownTrees {
    pub(super) fn new() -> Self {
        ShownTrees {
            handle: Resource::new(Handle::of(create_jungle())),
            trees: Mutex::default(),
            subscribers: Mutex::default(),
        }
    }

    pub(super) fn handle(&self) -> &Resource<Handle> {
        &self.handle
    }

    pub(super) fn subscribers(&self) -> MutexGuard<'_, Vec<Subscriber>> {
        lock(&self.subscribers)
    }

    /// Shows a replica's changes. Returns the events if a process subscribes to the tree.
    pub(super) fn update(&self, name: &str, replica: &mut Replica) -> Vec<Event> {
        let touched = replica.take_touched();
        self.follow(name, replica, Some(touched))
    }

    /// Like `update`, but for a replica that replaced another one.
    pub(super) fn update_all(&self, name: &str, replica: &mut Replica) -> Vec<Event> {
        drop(replica.take_touched());
        self.follow(name, replica, None)
    }

    fn follow(
        &self,
        name: &str,
        replica: &Replica,
        touched: Option<HashSet<NodeId>>,
    ) -> Vec<Event> {
        let is_told = self.subscribers().iter().any(|it| it.tree == name);
        let mut trees = lock(&self.trees);
        if !trees.contains_key(name) {
            let Ok(jungle) = self.handle.jungle() else {
                return Vec::new();
            };
            let shown = Shown {
                show: jungle.show(name),
                view: View::default(),
                overruled: None,
            };
            trees.insert(name.to_owned(), shown);
        }
        let Some(shown) = trees.get_mut(name) else {
            return Vec::new();
        };
        let touched = touched.unwrap_or_else(|| shown.view.all(replica));
        let mut events = shown.view.update(replica, &touched, is_told);
        shown.show.set(shown.view.root().clone());
        shown.show.index(&replica.indexed());
        shown.list(replica, &touched, is_told, &mut events);
        events
    }

    /// Returns the path at which a node is shown.
    pub(super) fn path(&self, tree: &str, node: NodeId) -> Option<NodePath> {
        lock(&self.trees).get(tree)?.view.path(node)
    }

    /// Lists the overruled edits. Later updates report how the list changes.
    pub(super) fn begin_list(&self, tree: &str, replica: &Replica) {
        if let Some(shown) = lock(&self.trees).get_mut(tree) {
            let overruled = || stamps(&replica.overruled()).collect();
            shown.overruled.get_or_insert_with(overruled);
        }
    }
}

impl Shown {
    /// Adds events for the edits that became overruled, and for those that no longer are.
    fn list(
        &mut self,
        replica: &Replica,
        touched: &HashSet<NodeId>,
        is_told: bool,
        events: &mut Vec<Event>,
    ) {
        let Some(listed) = self.overruled.as_mut().filter(|_| is_told) else {
            self.overruled = None;
            return;
        };
        let mut above: BTreeMap<NodeId, HashSet<NodeId>> = BTreeMap::new();
        for event in &*events {
            let Some(node) = event.what.node() else {
                continue;
            };
            above.entry(node).or_default().extend(&event.above);
            // Deleting or restoring a node affects everything below it.
            if let Happened::Created(..) | Happened::Deleted(_) = event.what {
                for below in replica.below(node) {
                    above.entry(below).or_default().extend(&event.above);
                }
            }
        }
        for node in touched {
            above
                .entry(*node)
                .or_default()
                .extend(self.view.above(*node));
        }
        let nodes: HashSet<NodeId> = above.keys().copied().collect();
        let overruled = replica.overruled_at(&nodes);
        let now: BTreeMap<Stamp, NodeId> = stamps(&overruled).collect();
        let settled = listed
            .iter()
            .filter(|(stamp, node)| nodes.contains(node) && !now.contains_key(*stamp));
        let settled: Vec<(Stamp, NodeId)> = settled.map(|(stamp, node)| (*stamp, *node)).collect();
        for edit in overruled {
            let (stamp, node) = (edit.operation.stamp, edit.operation.node());
            if listed.insert(stamp, node).is_none() {
                let above = above[&node].clone();
                events.push(Event {
                    what: Happened::Overruled(edit),
                    above,
                });
            }
        }
        for (stamp, node) in settled {
            listed.remove(&stamp);
            let above = above[&node].clone();
            events.push(Event {
                what: Happened::Settled(stamp),
                above,
            });
        }
    }
}

fn stamps(overruled: &[Overruled]) -> impl Iterator<Item = (Stamp, NodeId)> {
    overruled
        .iter()
        .map(|it| (it.operation.stamp, it.operation.node()))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
