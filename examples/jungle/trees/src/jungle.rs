//! A jungle: named trees, and the logs in which they are kept on the disk.

use std::collections::BTreeSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use arc_swap::{ArcSwap, Guard};
use jungle_disk::Lock;

use crate::error::{Error, MAX_KEY, Result, limited};
use crate::index::Indexes;
use crate::log::Pending;
use crate::log::files::Listed;
use crate::log::group::Group;
use crate::log::record;
use crate::log::replay::Trees;
use crate::log::snapshot::Written;
use crate::map::Map;
use crate::names::Names;
use crate::node::Node;
use crate::show::Show;
use crate::tree::{Tree, Version};

/// Number of logs. The hash of its name assigns a tree to one of them.
pub(crate) const LOGS: usize = 4;
/// How many times a new root is compared without blocking other writers. After that, they have to
/// wait.
const OPTIMISTIC: usize = 3;

/// A database: trees by their names.
pub struct Jungle {
    trees: Arc<ArcSwap<Map<String, Arc<Tree>>>>,
    /// Names of trees whose creation is not on the disk yet.
    creating: Arc<Mutex<BTreeSet<String>>>,
    groups: Vec<Group>,
    /// Locks the folder while it is open.
    lock: Mutex<Option<Lock>>,
}

/// Creates a jungle in memory.
#[must_use]
pub fn create_jungle() -> Jungle {
    Jungle {
        trees: Arc::default(),
        creating: Arc::default(),
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
            for (number, tree) in trees.0 {
                let log = Some((group.log.clone(), number));
                known.insert(tree.name, Tree::new(tree.version, tree.names, log));
            }
            jungle.groups.push(group);
        }
        jungle.trees.store(Arc::new(known));
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

    fn written(&self, group: &Group) -> Vec<Written> {
        let trees = self.trees.load();
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

    /// Creates a tree with an empty root. The tree can be used after this returns. In the meantime,
    /// other attempts to create a tree with this name fail.
    ///
    /// # Errors
    /// `TreeExists`, `TooLarge` or `Storage`.
    pub fn create_tree(&self, name: &str) -> Result<()> {
        self.create_tree_with(name, &[])
    }

    /// Creates a tree with indexes of these attributes.
    ///
    /// # Errors
    /// Those of [`Jungle::create_tree`].
    pub fn create_tree_with(&self, name: &str, indexed: &[String]) -> Result<()> {
        self.begin_tree(name, indexed)?.wait()
    }

    /// Like [`Jungle::create_tree_with`], but the caller waits for the disk. The tree is invisible
    /// until then.
    ///
    /// # Errors
    /// Those of [`Jungle::create_tree`].
    pub fn begin_tree(&self, name: &str, indexed: &[String]) -> Result<Pending> {
        limited("name", name.len(), MAX_KEY)?;
        indexed
            .iter()
            .try_for_each(|key| limited("key", key.len(), MAX_KEY))?;
        let exists = || Error::TreeExists(name.to_owned());
        if !guarded(&self.creating).insert(name.to_owned()) {
            return Err(exists());
        }
        let created = match self.tree(name) {
            Ok(_) => Err(exists()),
            Err(_) => self.new_tree(name, indexed),
        };
        if created.is_err() {
            guarded(&self.creating).remove(name);
        }
        created
    }

    /// Adds a tree that is kept elsewhere and only shown here. It hides a tree with this name.
    #[must_use]
    pub fn show(&self, name: &str) -> Show {
        let tree = Tree::shown();
        self.trees.rcu(|trees| {
            let mut trees = Map::clone(trees);
            trees.insert(name.to_owned(), tree.clone());
            trees
        });
        Show::of(tree)
    }

    /// Starts to create a tree. The name stays in `creating` until the outcome is known.
    fn new_tree(&self, name: &str, indexed: &[String]) -> Result<Pending> {
        let (trees, creating) = (self.trees.clone(), self.creating.clone());
        let version = Version {
            number: 0,
            highest: 0,
            node: Node::new(),
            indexes: Indexes::new(indexed),
        };
        let add = move |name: &str, tree: Option<Arc<Tree>>| {
            if let Some(tree) = tree {
                trees.rcu(|trees| {
                    let mut trees = Map::clone(trees);
                    trees.insert(name.to_owned(), tree.clone());
                    trees
                });
            }
            guarded(&creating).remove(name);
        };
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        let Some(group) = self.groups.get(hasher.finish() as usize % LOGS) else {
            add(name, Some(Tree::new(version, Names::default(), None)));
            return Ok(Pending::none());
        };
        let number = group.log.tree();
        let mut bytes = Vec::new();
        record::create(&mut bytes, number, name, indexed);
        let tree = Tree::new(version, Names::default(), Some((group.log.clone(), number)));
        let name = name.to_owned();
        let outcome = move |is_written: bool| add(&name, is_written.then_some(tree));
        group.log.add(&bytes, Box::new(outcome))
    }

    /// Returns the names of all trees.
    #[must_use]
    pub fn trees(&self) -> Vec<String> {
        self.trees
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
        let trees = self.trees.load();
        let tree = trees.get(name);
        tree.cloned().ok_or_else(|| Error::NoTree(name.to_owned()))
    }

    /// Returns the newest root, which does not change while it is held. Reading it writes no memory
    /// that is shared between readers, so any number of threads can read in parallel. Cloning the
    /// node does write shared memory, a reference count.
    ///
    /// # Errors
    /// `NoTree`.
    pub fn get_root_node(&self, tree: &str) -> Result<Root> {
        let trees = self.trees.load();
        let found = trees.get(tree);
        let found = found.ok_or_else(|| Error::NoTree(tree.to_owned()))?;
        Ok(Root(found.read()))
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
