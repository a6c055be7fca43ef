//! The module `jungle_watch` for Erlang and Elixir: a process subscribes to the changes of a tree.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use otp_bridge::process::{Monitors, ResourceMonitor, SentTo, Subscriber};
use otp_bridge::{Pid, Resource, Sender, Term, module};

use crate::change::{Change, ChangeTerm};
use crate::error::Result;
use crate::node::NodePath;
use crate::tree::Tree;
use crate::watchers::Event;

use super::handle::{Handle, Shared};

/// Message to a process that watches a tree.
#[derive(Debug, Clone, Term)]
pub enum Watched {
    /// `{changed, Watch, Tree, Number, Changes}`: the tree has a new version, with these changes at
    /// and below the watched node.
    Changed(Resource<Watch>, String, u64, Vec<ChangeTerm>),
    /// `{renamed, Watch, Tree, New}`: the tree is called `New`, as in all further messages.
    Renamed(Resource<Watch>, String, String),
    /// `{deleted, Watch, Tree}`: the tree was deleted, and the subscription has ended.
    Deleted(Resource<Watch>, String),
}

/// A subscription of a process to the changes at and below a node.
#[derive(Resource)]
#[resource(module = "jungle_watch", name = "watch")]
pub struct Watch {
    /// The present name of the tree.
    tree: Mutex<String>,
    path: NodePath,
    process: Sender<Watched>,
    shared: Weak<Shared>,
    /// The tree, and the number under which it knows this watcher.
    registered: Mutex<Option<(Weak<Tree>, u64)>>,
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Watch of {:?} in {}", self.path, self.tree())
    }
}

impl Watch {
    /// Returns the present name of the tree.
    pub(crate) fn tree(&self) -> String {
        let tree = self.tree.lock();
        tree.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sets the name of the tree, and returns the one before.
    fn rename(&self, new: &str) -> String {
        let tree = self.tree.lock();
        let mut tree = tree.unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut tree, new.to_owned())
    }

    fn registered(&self) -> MutexGuard<'_, Option<(Weak<Tree>, u64)>> {
        self.registered
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts to watch a tree, which may have replaced another one. The tree keeps the resource alive,
/// and with it the monitor.
pub(crate) fn begin(watch: &Resource<Watch>, tree: &Arc<Tree>) {
    let own = watch.clone();
    let tell = move |event: Event<'_>| {
        let message = match event {
            Event::Changed(number, changes) => {
                let changes = changes.iter().map(Change::to_term).collect();
                Watched::Changed(own.clone(), own.tree(), number, changes)
            }
            Event::Renamed(new) => Watched::Renamed(own.clone(), own.rename(new), new.to_owned()),
            Event::Deleted => {
                forget(&own);
                Watched::Deleted(own.clone(), own.tree())
            }
        };
        own.process.send(message);
        true
    };
    let number = tree.watch(watch.path.clone(), Box::new(tell));
    *watch.registered() = Some((Arc::downgrade(tree), number));
}

/// Subscribes this process to the changes at and below a node, until the process exits or the tree
/// is deleted. The process gets [`Watched`] messages: one for each version of the tree with such a
/// change, in the order of the versions, and others if the tree is renamed or deleted.
///
/// # Errors
/// The tree does not exist.
pub fn subscribe<P>(
    jungle: &Resource<Handle>,
    tree: &str,
    path: NodePath,
    subscriber: Subscriber<'_, P>,
) -> Result<Resource<Watch>>
where
    Watched: SentTo<P>,
{
    let known = jungle.tree(tree)?;
    let watch = Resource::new(Watch {
        tree: Mutex::new(tree.to_owned()),
        path,
        process: subscriber.sender(),
        shared: Arc::downgrade(jungle.shared()),
        registered: Mutex::default(),
    });
    jungle.shared().watches().push(watch.clone());
    begin(&watch, &known);
    let cx = subscriber.cx();
    if watch.monitor(cx, &cx.pid()).is_none() {
        unsubscribe(&watch);
    }
    Ok(watch)
}

/// Cancels a subscription. Messages that were sent before may still arrive.
pub fn unsubscribe(watch: &Resource<Watch>) {
    let registered = watch.registered().take();
    if let Some((tree, number)) = registered
        && let Some(tree) = tree.upgrade()
    {
        tree.unwatch(number);
    }
    forget(watch);
}

/// Removes a watch from those that are started again when the database is opened again.
fn forget(watch: &Resource<Watch>) {
    if let Some(shared) = watch.shared.upgrade() {
        shared.watches().retain(|other| other != watch);
    }
}

impl Monitors for Watch {
    fn down(watch: &Resource<Self>, _: &Pid, _: &ResourceMonitor) {
        unsubscribe(watch);
    }
}

/// Notifies processes of changes with `{changed, Watch, Tree, Number, Changes}`, of another name
/// with `{renamed, Watch, Tree, New}`, and of the deletion of the tree with
/// `{deleted, Watch, Tree}`.
#[module("jungle_watch")]
pub(crate) mod functions {
    use otp_bridge::{Cx, Resource};

    use super::Watch;
    use crate::error::Result;
    use crate::node::NodePath;
    use crate::otp::handle::Handle;

    /// Subscribes this process to the changes at and below a node, until the process exits or the
    /// tree is deleted. The process gets a message for each version of the tree with such a change,
    /// in the order of the versions, and if the tree is renamed or deleted.
    pub fn subscribe(
        jungle: &Resource<Handle>,
        tree: &str,
        path: NodePath,
        cx: &Cx<'_>,
    ) -> Result<Resource<Watch>> {
        super::subscribe(jungle, tree, path, cx.subscriber().that_receives())
    }

    /// Cancels a subscription. Messages that were sent before may still arrive.
    pub fn unsubscribe(watch: &Resource<Watch>) {
        super::unsubscribe(watch);
    }
}
