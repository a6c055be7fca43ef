//! The module `jungle_watch` for Erlang and Elixir: a process subscribes to the changes of a tree.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use otp_bridge::process::{Monitors, ResourceMonitor, SentTo, Subscriber};
use otp_bridge::{Pid, Resource, Sender, Term, module};

use crate::change::{Change, ChangeTerm};
use crate::error::Result;
use crate::node::NodePath;
use crate::tree::Tree;

use super::handle::{Handle, Shared};

/// `{changed, Watch, Tree, Number, Changes}`: a tree has a new version, with these changes at and
/// below the watched node.
#[derive(Debug, Clone, Term)]
pub struct Changed(
    pub Resource<Watch>,
    pub String,
    pub u64,
    pub Vec<ChangeTerm>,
);

/// A subscription of a process to the changes at and below a node.
#[derive(Resource)]
#[resource(module = "jungle_watch", name = "watch")]
pub struct Watch {
    pub(crate) tree: String,
    path: NodePath,
    process: Sender<Changed>,
    shared: Weak<Shared>,
    /// The tree, and the number under which it knows this watcher.
    registered: Mutex<Option<(Weak<Tree>, u64)>>,
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Watch of {:?} in {}", self.path, self.tree)
    }
}

impl Watch {
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
    let tell = move |number, changes: &[Change]| {
        let changes = changes.iter().map(Change::to_term).collect();
        let told = Changed(own.clone(), own.tree.clone(), number, changes);
        own.process.send(told);
        true
    };
    let number = tree.watch(watch.path.clone(), Box::new(tell));
    *watch.registered() = Some((Arc::downgrade(tree), number));
}

/// Subscribes this process to the changes at and below a node, until the process exits. For each
/// version of the tree with such a change, the process gets a [`Changed`] message, in the order of
/// the versions.
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
    Changed: SentTo<P>,
{
    let known = jungle.tree(tree)?;
    let watch = Resource::new(Watch {
        tree: tree.to_owned(),
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
    if let Some(shared) = watch.shared.upgrade() {
        shared.watches().retain(|other| other != watch);
    }
}

impl Monitors for Watch {
    fn down(watch: &Resource<Self>, _: &Pid, _: &ResourceMonitor) {
        unsubscribe(watch);
    }
}

/// Notifies processes of changes with `{changed, Watch, Tree, Number, Changes}`.
#[module("jungle_watch")]
pub(crate) mod functions {
    use otp_bridge::{Cx, Resource};

    use super::Watch;
    use crate::error::Result;
    use crate::node::NodePath;
    use crate::otp::handle::Handle;

    /// Subscribes this process to the changes at and below a node, until the process exits. For
    /// each version of the tree with such a change, the process gets a message, in the order of the
    /// versions.
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
