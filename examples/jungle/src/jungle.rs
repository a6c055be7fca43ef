//! A jungle: trees by their names, and the logs in which they are kept.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use arc_swap::ArcSwap;

use crate::error::{Error, MAX_KEY, Result, limited};
use crate::index::Indexes;
use crate::log::record::Record;
use crate::log::{self, Log};
use crate::map::Map;
use crate::node::Node;
use crate::tree::{Tree, Version};

/// How many logs there are. A tree is always in the same one.
const LOGS: usize = 4;
/// How often a folder that is locked is tried, and the time between.
const TRIES: usize = 40;
const BETWEEN_TRIES: Duration = Duration::from_millis(10);

/// Trees by their names.
pub struct Jungle {
    trees: Arc<ArcSwap<Map<String, Arc<Tree>>>>,
    /// Names of trees that are not on the disk yet.
    creating: Mutex<BTreeSet<String>>,
    logs: Vec<Arc<Log>>,
    /// Locked as long as the folder is open.
    _lock: Option<File>,
}

/// A jungle in memory.
#[must_use]
pub fn create_jungle() -> Jungle {
    Jungle {
        trees: Arc::default(),
        creating: Mutex::default(),
        logs: Vec::new(),
        _lock: None,
    }
}

impl Jungle {
    /// A jungle in a folder, which is created if it does not exist.
    ///
    /// # Errors
    /// `Storage`, also if another jungle has the folder open; `Corrupt`.
    pub fn open(folder: &Path) -> Result<Self> {
        let storage = |error: io::Error| Error::Storage(format!("{}: {error}", folder.display()));
        fs::create_dir_all(folder).map_err(storage)?;
        let lock = locked(folder).map_err(storage)?;
        let mut jungle = create_jungle();
        jungle._lock = Some(lock);
        for number in 0..LOGS {
            let path = folder.join(format!("log-{number}"));
            let (file, found) = log::open(&path).map_err(storage)?;
            let damaged = || Error::Corrupt(path.display().to_string());
            let trees = replay(found.records).ok_or_else(damaged)?;
            let log = Log::new(file, trees.keys().max().copied().unwrap_or(0));
            let mut known = Map::clone(&jungle.trees.load());
            for (number, (name, version)) in trees {
                known.insert(name, Tree::new(version, Some((log.clone(), number))));
            }
            jungle.trees.store(Arc::new(known));
            jungle.logs.push(log);
        }
        // The names of new files are on the disk, too.
        File::open(folder)
            .and_then(|folder| folder.sync_all())
            .map_err(storage)?;
        Ok(jungle)
    }

    /// Creates a tree, whose root is empty.
    ///
    /// # Errors
    /// `TreeExists`, `TooLarge` or `Storage`.
    pub fn create_tree(&self, name: &str) -> Result<()> {
        self.create_tree_with(name, &[])
    }

    /// Creates a tree with indexes of these attributes.
    ///
    /// # Errors
    /// As of [`Jungle::create_tree`].
    pub fn create_tree_with(&self, name: &str, indexed: &[String]) -> Result<()> {
        limited("name", name.len(), MAX_KEY)?;
        indexed
            .iter()
            .try_for_each(|key| limited("key", key.len(), MAX_KEY))?;
        let creating = || self.creating.lock().unwrap_or_else(PoisonError::into_inner);
        let exists = || Error::TreeExists(name.to_owned());
        if !creating().insert(name.to_owned()) {
            return Err(exists());
        }
        let created = match self.tree(name) {
            Ok(_) => Err(exists()),
            Err(_) => self.new_tree(name, indexed),
        };
        creating().remove(name);
        created
    }

    fn new_tree(&self, name: &str, indexed: &[String]) -> Result<()> {
        let (indexes, trees) = (Indexes::new(indexed), self.trees.clone());
        let version = Version {
            number: 0,
            node: Node::new(),
            indexes,
        };
        let add = move |name: &str, tree: Arc<Tree>| {
            trees.rcu(|trees| {
                let mut trees = Map::clone(trees);
                trees.insert(name.to_owned(), tree.clone());
                trees
            });
        };
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        let Some(log) = self.logs.get(hasher.finish() as usize % LOGS) else {
            add(name, Tree::new(version, None));
            return Ok(());
        };
        let number = log.tree();
        let mut bytes = Vec::new();
        log::record::create(&mut bytes, number, name, indexed);
        let tree = Tree::new(version, Some((log.clone(), number)));
        let name = name.to_owned();
        log.add(&bytes, Box::new(move || add(&name, tree)))?.wait()
    }

    /// The names of all trees.
    #[must_use]
    pub fn trees(&self) -> Vec<String> {
        self.trees
            .load()
            .iter()
            .map(|(name, _)| name.clone())
            .collect()
    }

    /// A tree.
    ///
    /// # Errors
    /// `NoTree`.
    pub fn tree(&self, name: &str) -> Result<Arc<Tree>> {
        let trees = self.trees.load();
        let tree = trees.get(&name.to_owned());
        tree.cloned().ok_or_else(|| Error::NoTree(name.to_owned()))
    }

    /// The newest root.
    ///
    /// # Errors
    /// `NoTree`.
    pub fn get_root_node(&self, tree: &str) -> Result<Node> {
        Ok(self.tree(tree)?.read().node.clone())
    }

    /// Replaces the root. What was changed meanwhile is lost: see [`Jungle::update_root_node_with`].
    ///
    /// # Errors
    /// `NoTree` or `Storage`.
    pub fn update_root_node(&self, tree: &str, node: Node) -> Result<u64> {
        self.tree(tree)?.update(move |_| Ok(node))
    }

    /// Changes the root: nobody else changes it meanwhile.
    ///
    /// # Errors
    /// `NoTree`, that of the function, `Panicked` or `Storage`.
    pub fn update_root_node_with(
        &self,
        tree: &str,
        edit: impl FnOnce(&Node) -> Result<Node> + Send + 'static,
    ) -> Result<u64> {
        self.tree(tree)?.update(edit)
    }
}

/// Locks a folder. Another program that this one is just starting has the lock until it runs, so it is tried for a while.
fn locked(folder: &Path) -> io::Result<File> {
    let lock = File::create(folder.join("lock"))?;
    for _ in 0..TRIES {
        if lock.try_lock().is_ok() {
            return Ok(lock);
        }
        thread::sleep(BETWEEN_TRIES);
    }
    lock.try_lock()?;
    Ok(lock)
}

/// The trees of a log by their numbers. `None` if the records cannot follow each other.
fn replay(records: Vec<Record>) -> Option<BTreeMap<u64, (String, Version)>> {
    let mut trees = BTreeMap::new();
    for record in records {
        match record {
            Record::Create(tree, name, indexed) => {
                let version = Version {
                    number: 0,
                    node: Node::new(),
                    indexes: Indexes::new(&indexed),
                };
                trees.insert(tree, (name, version));
            }
            Record::Version(tree, number, changes) => {
                let (_, version) = trees.get_mut(&tree)?;
                let before = version.node.clone();
                for change in &changes {
                    version.indexes.change(&before, change);
                    version.node = change.apply(&version.node).ok()?;
                }
                if number != version.number + 1 {
                    return None;
                }
                version.number = number;
            }
        }
    }
    Some(trees)
}
