//! A jungle: named trees, and the logs in which they are kept on the disk. `catalog.rs` creates,
//! renames and deletes trees.

use std::fmt;
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use arc_swap::Guard;
use jungle_disk::Lock;

use crate::catalog::Catalog;
use crate::error::{Error, Result};
use crate::log::Pending;
use crate::log::files::Listed;
use crate::log::group::Group;
use crate::log::replay::Trees;
use crate::log::snapshot::Written;
use crate::map::Map;
use crate::node::Node;
use crate::share::Kept;
use crate::show::Show;
use crate::tree::{Tree, Version};

/// Number of logs. The hash of its name assigns a tree to one of them.
pub(crate) const LOGS: usize = 4;
/// How many times a new root is compared without blocking other writers. After that, they have to
/// wait.
const OPTIMISTIC: usize = 3;

/// A database: trees by their names.
pub struct Jungle {
    pub(crate) catalog: Catalog,
    pub(crate) groups: Vec<Group>,
    /// Locks the folder while it is open.
    lock: Mutex<Option<Lock>>,
}

/// Creates a jungle in memory.
#[must_use]
pub fn create_jungle() -> Jungle {
    Jungle {
        catalog: Catalog::default(),
        groups: Vec::new(),
        lock: Mutex::default(),
    }
}

impl Jungle {
    /// Opens a jungle in a folder, which is created if it does not exist. One thread for each log
    /// reads it.
    ///
    /// # Errors
    /// `Storage`, also if another jungle has the folder open; `Corrupt` if a file is damaged,
    /// missing, or older than the manifest says.
    pub fn open(folder: &Path) -> Result<Self> {
        let lock = Lock::take(folder, "lock")?;
        let listed = Listed::open(folder)?;
        let opened = thread::scope(|scope| {
            let threads: Vec<_> = (0..LOGS)
                .map(|number| {
                    let listed = &listed;
                    scope.spawn(move || Group::open(folder, number, listed))
                })
                .collect();
            let opened = threads.into_iter().map(|thread| {
                let panicked = |_| {
                    Err(Error::Corrupt(format!(
                        "{}: reading it panicked",
                        folder.display()
                    )))
                };
                thread.join().unwrap_or_else(panicked)
            });
            opened.collect::<Result<Vec<(Group, Trees)>>>()
        })?;
        let mut jungle = create_jungle();
        let mut known = Map::new();
        for (group, trees) in opened {
            for (number, tree) in trees.all {
                let log = Some((group.log.clone(), number));
                let (name, new) = (tree.name, Tree::new(tree.version, tree.names, log));
                if known.insert(name.clone(), new).is_some() {
                    let why = format!("{}: two trees are called `{name}`", folder.display());
                    return Err(Error::Corrupt(why));
                }
            }
            jungle.groups.push(group);
        }
        jungle.catalog.set(known);
        jungle.lock = Mutex::new(Some(lock));
        Ok(jungle)
    }

    /// Writes the changes that are not acknowledged yet, and refuses further ones. The folder can
    /// be opened again after that. Nodes that were read before stay readable.
    pub fn close(&self) {
        self.groups.iter().for_each(Group::close);
        drop(guarded(&self.lock).take());
    }

    /// Makes a snapshot of each group whose log has grown by at least `least` bytes, and by more
    /// than its last snapshot, and removes the files that the snapshot replaces. With 0 bytes, this
    /// includes every group. Compaction takes long, but blocks neither readers nor writers. Returns
    /// the number of snapshots.
    ///
    /// # Errors
    /// `Storage` or `Closed`. Nothing is lost.
    pub fn compact(&self, least: u64) -> Result<usize> {
        let grown = self.groups.iter().filter(|group| group.has_grown(least));
        let mut count = 0;
        for group in grown {
            group.compact(|| self.written(group))?;
            count += 1;
        }
        Ok(count)
    }

    pub(crate) fn written(&self, group: &Group) -> Vec<Written> {
        let trees = self.catalog.load();
        let numbered = trees.iter().filter_map(|(name, tree)| {
            let number = tree.number_in(&group.log)?;
            Some(Written {
                tree: number,
                name: name.clone(),
                newest: tree.stored(),
            })
        });
        numbered.collect()
    }

    /// Adds a tree that is kept elsewhere and only shown here. It hides a tree with this name.
    #[must_use]
    pub fn show(&self, name: &str) -> Show {
        let tree = Tree::shown();
        self.catalog.change(None, Some((name, &tree)));
        Show::of(tree)
    }

    /// Returns the names of all trees.
    #[must_use]
    pub fn trees(&self) -> Vec<String> {
        self.catalog
            .load()
            .iter()
            .map(|(name, _)| name.clone())
            .collect()
    }

    /// Returns a tree.
    ///
    /// # Errors
    /// `NoTree`.
    pub fn tree(&self, name: &str) -> Result<Arc<Tree>> {
        let trees = self.catalog.load();
        let tree = trees.get(name);
        tree.cloned().ok_or_else(|| Error::NoTree(name.to_owned()))
    }

    /// Returns the newest root, which does not change while it is held. Reading it writes no memory
    /// that is shared between readers, so any number of threads can read in parallel. Cloning the
    /// node does write shared memory, a reference count. [`Root::kept`] does not.
    ///
    /// # Errors
    /// `NoTree`.
    pub fn get_root_node(&self, tree: &str) -> Result<Root> {
        self.read(tree).map(Root)
    }

    /// Returns the newest version of a tree, with its indexes. Like [`Jungle::get_root_node`], it
    /// writes no memory that is shared between readers. [`Jungle::tree`] does.
    ///
    /// # Errors
    /// `NoTree`.
    pub fn read(&self, tree: &str) -> Result<Guard<Arc<Version>>> {
        let trees = self.catalog.load();
        let found = trees.get(tree);
        let found = found.ok_or_else(|| Error::NoTree(tree.to_owned()))?;
        Ok(found.read())
    }

    /// Replaces the root, and discards changes since it was read. To keep them, use
    /// [`Jungle::update_root_node_with`].
    ///
    /// # Errors
    /// `NoTree` or `Storage`.
    pub fn update_root_node(&self, tree: &str, node: Node) -> Result<u64> {
        let (number, pending) = self.begin_root_node(tree, node)?;
        pending.wait()?;
        Ok(number)
    }

    /// Like [`Jungle::update_root_node`], but the caller waits for the disk.
    ///
    /// # Errors
    /// Those of [`Jungle::update_root_node`].
    pub fn begin_root_node(&self, tree: &str, node: Node) -> Result<(u64, Pending)> {
        let tree = self.tree(tree)?;
        // The roots are compared while others write. If others keep writing, the last try blocks
        // them.
        for _ in 0..OPTIMISTIC {
            match tree.replace(&tree.latest(), node.clone()) {
                Err(Error::Changed(_)) => {}
                other => return other,
            }
        }
        tree.begin(move |_| Ok(node))
    }

    /// Changes the root with a function. Other writers wait in the meantime.
    ///
    /// # Errors
    /// `NoTree`, the error of the function, `Panicked` or `Storage`.
    pub fn update_root_node_with(
        &self,
        tree: &str,
        edit: impl FnOnce(&Node) -> Result<Node> + Send + 'static,
    ) -> Result<u64> {
        self.tree(tree)?.update(edit)
    }
}

/// The root of a tree in one version.
pub struct Root(Guard<Arc<Version>>);

impl Root {
    /// Returns the root as a value that can be kept for long, see [`Version::kept`].
    #[must_use]
    pub fn kept(&self) -> Kept {
        self.0.kept()
    }
}

impl Deref for Root {
    type Target = Node;

    fn deref(&self) -> &Node {
        &self.0.node
    }
}

impl PartialEq<Node> for Root {
    fn eq(&self, other: &Node) -> bool {
        **self == *other
    }
}

impl fmt::Debug for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl Drop for Jungle {
    fn drop(&mut self) {
        self.close();
    }
}

fn guarded<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
