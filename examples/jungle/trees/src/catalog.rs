//! Creating, renaming and deleting trees.
//!
//! A call reserves the names that it gives or takes away until its record is on the disk. Other
//! calls treat it as done. So a name never belongs to two trees in the logs, although trees that
//! have one name after the other may be in different logs.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex};
use std::thread;

use arc_swap::{ArcSwap, Guard};

use crate::error::{Error, MAX_KEY, Result, limited};
use crate::index::Indexes;
use crate::jungle::{Jungle, LOGS};
use crate::log::{Pending, record};
use crate::map::Map;
use crate::names::Names;
use crate::node::Node;
use crate::publish::Replaced;
use crate::share::Shares;
use crate::tree::{Tree, Version, lock};
use crate::watchers::Event;

/// A deleted tree with more nodes is dropped on a thread of its own, to keep the log's writer free.
const LARGE: u64 = 1000;

/// The trees by their names.
type ByName = Map<String, Arc<Tree>>;

/// The trees of a jungle. Cloning it copies two references.
#[derive(Clone, Default)]
pub(crate) struct Catalog {
    trees: Arc<ArcSwap<ByName>>,
    /// Names whose creation, renaming or deletion is not on the disk yet.
    reserved: Arc<Mutex<BTreeSet<String>>>,
}

/// A reserved name. Dropping the value releases it.
struct Reserved {
    catalog: Catalog,
    name: String,
}

impl Drop for Reserved {
    fn drop(&mut self) {
        lock(&self.catalog.reserved).remove(&self.name);
    }
}

impl Catalog {
    pub(crate) fn load(&self) -> Guard<Arc<ByName>> {
        self.trees.load()
    }

    pub(crate) fn set(&self, trees: ByName) {
        self.trees.store(Arc::new(trees));
    }

    /// Takes one name away and gives another one, in one step.
    pub(crate) fn change(&self, without: Option<&String>, with: Option<(&str, &Arc<Tree>)>) {
        self.trees.rcu(|trees| {
            let mut trees = Map::clone(trees);
            if let Some(name) = without {
                trees.remove(name);
            }
            if let Some((name, tree)) = with {
                trees.insert(name.to_owned(), tree.clone());
            }
            trees
        });
    }

    /// Reserves a name, unless another call has reserved it.
    fn reserve(&self, name: &str) -> Option<Reserved> {
        let is_new = lock(&self.reserved).insert(name.to_owned());
        is_new.then(|| Reserved {
            catalog: self.clone(),
            name: name.to_owned(),
        })
    }

    /// Reserves a name that a tree will get.
    fn reserve_new(&self, name: &str) -> Result<Reserved> {
        limited("name", name.len(), MAX_KEY)?;
        let exists = || Error::TreeExists(name.to_owned());
        let reserved = self.reserve(name).ok_or_else(exists)?;
        match self.load().get(name) {
            Some(_) => Err(exists()),
            None => Ok(reserved),
        }
    }

    /// Returns a tree and reserves its name.
    fn reserve_known(&self, name: &str) -> Result<(Reserved, Arc<Tree>)> {
        let no_tree = || Error::NoTree(name.to_owned());
        let reserved = self.reserve(name).ok_or_else(no_tree)?;
        let tree = self.load().get(name).cloned();
        Ok((reserved, tree.ok_or_else(no_tree)?))
    }
}

impl Jungle {
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
        let keys = indexed.iter();
        keys.into_iter()
            .try_for_each(|key| limited("key", key.len(), MAX_KEY))?;
        let reserved = self.catalog.reserve_new(name)?;
        let catalog = self.catalog.clone();
        let version = Version {
            number: 0,
            highest: 0,
            node: Node::new(),
            indexes: Indexes::new(indexed),
            shares: Shares::default(),
        };
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        let Some(group) = self.groups.get(hasher.finish() as usize % LOGS) else {
            let tree = Tree::new(version, Names::default(), None);
            catalog.change(None, Some((name, &tree)));
            return Ok(Pending::none());
        };
        let number = group.log.tree();
        let mut bytes = Vec::new();
        record::create(&mut bytes, number, name, indexed);
        let tree = Tree::new(version, Names::default(), Some((group.log.clone(), number)));
        let outcome = move |is_written: bool| {
            if is_written {
                catalog.change(None, Some((&reserved.name, &tree)));
            }
            Replaced::default()
        };
        group.log.add(&bytes, Box::new(outcome))
    }

    /// Deletes a tree with its versions and indexes. Nodes that were read before stay readable;
    /// writers that are waiting get `NoTree`. The name can be used for another tree after this
    /// returns.
    ///
    /// # Errors
    /// `NoTree` or `Storage`; `Replicated` if the tree is only shown here; `Nested` if the caller is
    /// a function that changes this tree. The tree then stays as it is.
    pub fn delete_tree(&self, name: &str) -> Result<()> {
        self.begin_delete(name)?.wait()
    }

    /// Like [`Jungle::delete_tree`], but the caller waits for the disk. The tree can be read until
    /// then, and refuses changes.
    ///
    /// # Errors
    /// Those of [`Jungle::delete_tree`].
    pub fn begin_delete(&self, name: &str) -> Result<Pending> {
        let (reserved, tree) = self.catalog.reserve_known(name)?;
        let catalog = self.catalog.clone();
        let latest = tree.writable()?;
        let pending = tree.record(record::deleted, move |tree| {
            tree.forget_in_log();
            catalog.change(Some(&reserved.name), None);
            tree.end_watchers();
            drop_elsewhere(tree);
            Replaced::default()
        })?;
        tree.refuse_changes(name);
        drop(latest);
        Ok(pending)
    }

    /// Renames a tree. The tree keeps its versions, indexes, writers and watchers.
    ///
    /// # Errors
    /// `TreeExists` or `TooLarge` for the new name; those of [`Jungle::delete_tree`]. The tree then
    /// keeps its name.
    pub fn rename_tree(&self, name: &str, new: &str) -> Result<()> {
        self.begin_rename(name, new)?.wait()
    }

    /// Like [`Jungle::rename_tree`], but the caller waits for the disk. The tree has its old name
    /// until then.
    ///
    /// # Errors
    /// Those of [`Jungle::rename_tree`].
    pub fn begin_rename(&self, name: &str, new: &str) -> Result<Pending> {
        let (old, tree) = self.catalog.reserve_known(name)?;
        let new = self.catalog.reserve_new(new)?;
        let catalog = self.catalog.clone();
        let latest = tree.writable()?;
        let name = new.name.clone();
        let pending = tree.record(
            |log, tree| record::renamed(log, tree, &name),
            move |tree| {
                catalog.change(Some(&old.name), Some((&new.name, &tree)));
                tree.tell(&Event::Renamed(&new.name));
                Replaced::default()
            },
        );
        drop(latest);
        pending
    }
}

/// Drops the tree on another thread if it is large.
fn drop_elsewhere(tree: Arc<Tree>) {
    if tree.read().node.size() > LARGE {
        let thread = thread::Builder::new().name("jungle drop".to_owned());
        let _ = thread.spawn(move || drop(tree));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of trees, and the one that is used in between.
    const LETTERS: [&str; LOGS + 2] = ["a", "b", "c", "d", "e", "other"];

    /// Returns the trees with the sizes of their roots.
    fn sizes(jungle: &Jungle) -> Vec<(String, u64)> {
        let trees = jungle.catalog.load();
        let sizes = trees.iter().map(|(name, tree)| {
            let size = tree.read().node.size();
            (name.clone(), size)
        });
        sizes.collect()
    }

    fn grow(jungle: &Jungle, name: &str) {
        let grown = jungle.update_root_node_with(name, |root| root.add_child_at(&[]));
        grown.expect("the tree exists");
    }

    /// The trees change after the new log is used, and before they are collected for the snapshot.
    /// So the new log has records of trees that the snapshot lacks.
    #[test]
    fn trees_change_between_the_new_log_and_its_snapshot() {
        let folder = std::env::temp_dir().join(format!("jungle-gone-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let jungle = Jungle::open(&folder).expect("it is new");
        let create = |name: &str| {
            jungle.create_tree(name).expect("it is new");
            grow(&jungle, name);
        };
        // They are in all groups.
        let names = |number: usize| (0..16).map(move |at| format!("{number} {at}"));
        (0..LOGS).flat_map(names).for_each(|name| create(&name));
        (0..16).for_each(|at| create(&format!("a {at}")));
        for (number, group) in jungle.groups.iter().enumerate() {
            let trees = || {
                for name in names(number) {
                    grow(&jungle, &name);
                    jungle.delete_tree(&name).expect("it exists");
                    create(&name);
                    jungle.delete_tree(&name).expect("it exists");
                }
                let rename = |from: usize, to: usize| {
                    for at in 0..16 {
                        let names = [from, to].map(|letter| format!("{} {at}", LETTERS[letter]));
                        let renamed = jungle.rename_tree(&names[0], &names[1]);
                        renamed.expect("the name is free");
                        grow(&jungle, &names[1]);
                    }
                };
                rename(number, number + 1);
                let written = jungle.written(group);
                rename(number + 1, LOGS + 1);
                rename(LOGS + 1, number + 1);
                written
            };
            group.compact(trees).expect("the disk works");
        }
        let before = sizes(&jungle);
        assert_eq!(before.len(), 16);
        assert_eq!(before[0], ("e 0".to_owned(), 2 + 3 * LOGS as u64));
        drop(jungle);
        for _ in 0..2 {
            let jungle = Jungle::open(&folder).expect("it is whole");
            assert_eq!(sizes(&jungle), before);
            jungle.compact(0).expect("the disk works");
        }
        let _ = std::fs::remove_dir_all(&folder);
    }
}
