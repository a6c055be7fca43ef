//! Watchers of a tree: callbacks that get its changes.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::change::Change;
use crate::node::NodePath;
use crate::tree::{Tree, lock};

/// Event of a tree that a watcher gets.
#[derive(Debug, Clone, Copy)]
pub enum Event<'e> {
    /// The number of a new version, and its changes at and below the watched node.
    Changed(u64, &'e [Change]),
    /// The tree has this name now.
    Renamed(&'e str),
    /// The tree was deleted. This is the last event.
    Deleted,
}

/// Callback of a watcher. It stays registered while it returns `true`. It must not change the tree.
pub type Watcher = Box<dyn FnMut(Event<'_>) -> bool + Send>;

#[derive(Default)]
pub(crate) struct Watchers {
    last: u64,
    all: Vec<(u64, NodePath, Watcher)>,
    has_ended: bool,
}

impl Tree {
    /// Calls `watcher` for all further changes at and below a node, in order, and when the tree is
    /// renamed or deleted. This happens on a thread that must not be blocked for long. Returns the
    /// number to pass to `unwatch`.
    ///
    /// The watcher runs on other threads, so it sends its results:
    /// ```compile_fail
    /// # use jungle_trees::tree::Tree;
    /// fn count(tree: &Tree) {
    ///     let count = std::rc::Rc::new(std::cell::Cell::new(0));
    ///     tree.watch(vec![], Box::new(move |_| {
    ///         count.set(count.get() + 1);
    ///         true
    ///     }));
    /// }
    /// ```
    /// ```no_run
    /// # use jungle_trees::tree::Tree;
    /// fn count(tree: &Tree, count: std::sync::mpsc::Sender<usize>) {
    ///     tree.watch(vec![], Box::new(move |_| count.send(1).is_ok()));
    /// }
    /// ```
    /// Its result decides whether it is called again:
    /// ```compile_fail
    /// # use jungle_trees::tree::Tree;
    /// fn print(tree: &Tree) {
    ///     tree.watch(vec![], Box::new(|event| println!("{event:?}")));
    /// }
    /// ```
    /// ```no_run
    /// # use jungle_trees::tree::Tree;
    /// fn print(tree: &Tree) {
    ///     tree.watch(vec![], Box::new(|event| { println!("{event:?}"); true }));
    /// }
    /// ```
    pub fn watch(&self, path: NodePath, mut watcher: Watcher) -> u64 {
        let mut watchers = lock(&self.watchers);
        watchers.last += 1;
        let number = watchers.last;
        match watchers.has_ended {
            false => watchers.all.push((number, path, watcher)),
            true => {
                drop(watchers);
                is_kept(&mut watcher, Event::Deleted);
            }
        }
        number
    }

    /// Removes a watcher.
    pub fn unwatch(&self, number: u64) {
        let mut watchers = lock(&self.watchers);
        let found = watchers.all.iter().position(|(of, ..)| *of == number);
        let watcher = found.map(|at| watchers.all.remove(at));
        drop(watchers);
        drop(watcher);
    }

    /// Notifies all watchers. Those of a node get only the changes at and below it.
    pub(crate) fn tell(&self, event: &Event<'_>) {
        let mut watchers = lock(&self.watchers);
        watchers.all.retain_mut(|(_, path, watcher)| {
            let Event::Changed(number, changes) = *event else {
                return is_kept(watcher, *event);
            };
            let below = changes.iter().filter(|change| change.is_below(path));
            let seen: Vec<Change> = below.cloned().collect();
            seen.is_empty() || is_kept(watcher, Event::Changed(number, &seen))
        });
    }

    /// Notifies all watchers that the tree was deleted, and removes them.
    pub(crate) fn end_watchers(&self) {
        let mut watchers = lock(&self.watchers);
        watchers.has_ended = true;
        // The callbacks may call `unwatch`.
        let all = std::mem::take(&mut watchers.all);
        drop(watchers);
        for (.., mut watcher) in all {
            is_kept(&mut watcher, Event::Deleted);
        }
    }
}

/// Calls a watcher. Returns whether it stays registered: one that panics does not.
fn is_kept(watcher: &mut Watcher, event: Event<'_>) -> bool {
    catch_unwind(AssertUnwindSafe(|| watcher(event))).unwrap_or(false)
}
