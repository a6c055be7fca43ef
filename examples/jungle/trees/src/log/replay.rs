//! Rebuilds trees from their records.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::change::Change;
use crate::index::Indexes;
use crate::names::Names;
use crate::node::Node;
use crate::share::Shares;
use crate::tree::Version;

use super::record::Record;

/// The trees of a log by their numbers in it.
#[derive(Default)]
pub(crate) struct Trees {
    pub(crate) all: BTreeMap<u64, Replayed>,
    /// The highest number of a tree in any record. A deleted tree's number is not used again while
    /// the log has records of it.
    pub(crate) last: u64,
    /// Trees that the snapshot lacks, because the log after it deletes them.
    gone: BTreeSet<u64>,
}

/// The state of a tree after the records that were replayed.
pub(crate) struct Replayed {
    pub(crate) name: String,
    pub(crate) version: Version,
    pub(crate) names: Names,
}

impl Trees {
    /// Applies a record. Returns `None` if it cannot follow those before it. A record whose effect
    /// is already in the snapshot is skipped.
    pub(crate) fn replay(&mut self, record: Record) -> Option<()> {
        if self.is_of_gone(&record) {
            return Some(());
        }
        match record {
            Record::Create(tree, name, indexed) => self.create(tree, 0, name, &indexed),
            Record::Tree(tree, number, name, indexed) => self.create(tree, number, name, &indexed),
            Record::Version(tree, number, changes) => self.tree(tree)?.change_to(number, &changes),
            Record::Given(tree, count, number, name) => self.tree(tree)?.give(count, number, &name),
            Record::Dropped(tree, count, name) => self.tree(tree)?.forget(count, &name),
            Record::Deleted(tree) => self.all.remove(&tree).map(drop),
            Record::Renamed(tree, name) => {
                self.tree(tree)?.name = name;
                Some(())
            }
            Record::Indexed(tree, keys) => {
                let version = &mut self.tree(tree)?.version;
                version.indexes = version.indexes.with_keys(&keys, &version.node);
                Some(())
            }
            Record::Gone(tree) => {
                self.gone.insert(tree);
                Some(())
            }
            Record::Part(tree, changes) => self.tree(tree)?.version.change(&changes),
            Record::Named(tree, name) => {
                let tree = self.tree(tree)?;
                let version = Arc::new(tree.version.clone());
                tree.names = tree.names.give(&name, version);
                Some(())
            }
            Record::Next(tree, number, highest, count) => {
                let tree = self.tree(tree)?;
                tree.version.number = number;
                tree.version.highest = tree.version.highest.max(highest);
                tree.names.count = count;
                Some(())
            }
            // It is read before the others.
            Record::Folder(_) => None,
            Record::End(count) => (count == self.all.len() as u64).then_some(()),
        }
    }

    /// Applies as much of a record as possible, and returns whether that was all of it. Only
    /// repairs use this.
    pub(crate) fn salvage(&mut self, record: Record) -> bool {
        if self.is_of_gone(&record) {
            return true;
        }
        let Record::Version(number, version, changes) = record else {
            return self.replay(record).is_some();
        };
        let is_known = self.all.contains_key(&number);
        if !is_known {
            self.create(number, 0, format!("recovered {number}"), &[]);
        }
        let Some(tree) = self.tree(number) else {
            return false;
        };
        let follows = version <= tree.version.number + 1;
        if version <= tree.version.number {
            return true;
        }
        tree.version.number = version;
        let failed = changes
            .iter()
            .filter(|change| tree.version.change(std::slice::from_ref(change)).is_none());
        failed.count() == 0 && is_known && follows
    }

    /// Returns whether the record's tree was deleted after the snapshot. Notes the tree's number.
    fn is_of_gone(&mut self, record: &Record) -> bool {
        let tree = record.tree();
        self.last = self.last.max(tree.unwrap_or(0));
        tree.is_some_and(|tree| self.gone.contains(&tree))
    }

    fn tree(&mut self, number: u64) -> Option<&mut Replayed> {
        self.all.get_mut(&number)
    }

    fn create(&mut self, tree: u64, number: u64, name: String, indexed: &[String]) -> Option<()> {
        if let Some(known) = self.all.get_mut(&tree) {
            // The snapshot has the tree, perhaps with a name that a later record gives it.
            known.name = name;
            return Some(());
        }
        let version = Version {
            number,
            highest: 0,
            node: Node::new(),
            indexes: Indexes::new(indexed),
            shares: Shares::default(),
        };
        let names = Names::default();
        self.all.insert(
            tree,
            Replayed {
                name,
                version,
                names,
            },
        );
        Some(())
    }
}

impl Replayed {
    fn change_to(&mut self, number: u64, changes: &[Change]) -> Option<()> {
        if number <= self.version.number {
            return Some(());
        }
        if number != self.version.number + 1 {
            return None;
        }
        self.version.number = number;
        self.version.change(changes)
    }

    fn give(&mut self, count: u64, number: u64, name: &str) -> Option<()> {
        if count <= self.names.count {
            return Some(());
        }
        if number != self.version.number {
            return None;
        }
        let version = Arc::new(self.version.clone());
        self.set_names(count, self.names.give(name, version))
    }

    fn forget(&mut self, count: u64, name: &str) -> Option<()> {
        match count <= self.names.count {
            true => Some(()),
            false => self.set_names(count, self.names.without(name)?),
        }
    }

    fn set_names(&mut self, count: u64, names: Names) -> Option<()> {
        self.names = names;
        (self.names.count == count).then_some(())
    }
}

impl Version {
    fn change(&mut self, changes: &[Change]) -> Option<()> {
        for change in changes {
            if !self.indexes.is_empty() {
                self.indexes.change(&self.node, change);
            }
            change.apply_to(&mut self.node).ok()?;
        }
        self.highest = self.highest.max(self.node.highest());
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::files::replay;

    /// Returns a record with this payload.
    fn framed(payload: &[u8]) -> Vec<u8> {
        let length = u32::try_from(payload.len()).expect("it is short");
        let sum = crc32fast::hash(payload);
        [&length.to_le_bytes()[..], &sum.to_le_bytes(), payload].concat()
    }

    fn read(trees: &mut Trees, payloads: &[&[u8]]) -> Option<()> {
        let all: Vec<u8> = payloads.iter().flat_map(|it| framed(it)).collect();
        replay(&all, trees)
    }

    /// The records of logs from before trees could be deleted and renamed.
    const BEFORE: [&[u8]; 4] = [
        b"\x01\x05\x01a\x01\x01k",
        b"\x02\x05\x01\x01\x02\x00\x01k\x01v",
        b"\x06\x05\x01\x01\x01n",
        b"\x07\x05\x02\x01n",
    ];

    #[test]
    fn a_log_without_the_newer_records_is_read() {
        let mut trees = Trees::default();
        assert_eq!(read(&mut trees, &BEFORE), Some(()));
        let tree = &trees.all[&5];
        assert_eq!((&*tree.name, tree.version.number), ("a", 1));
        let found = tree.version.indexes.find("k", b"v", None, 9);
        assert_eq!(found, Ok(vec![vec![]]));
        assert_eq!(tree.names.count, 2);
    }

    #[test]
    fn newer_records_change_the_tree_and_then_it_is_gone() {
        let mut trees = Trees::default();
        assert_eq!(read(&mut trees, &BEFORE), Some(()));
        assert_eq!(
            read(&mut trees, &[b"\x0b\x05\x01b", b"\x0c\x05\x01\x01l"]),
            Some(())
        );
        assert_eq!(trees.all[&5].name, "b");
        assert_eq!(trees.all[&5].version.indexes.keys(), ["l"]);
        assert_eq!(read(&mut trees, &[b"\x0a\x05"]), Some(()));
        assert!(trees.all.is_empty());
        assert_eq!(trees.last, 5, "the number is not used again");
        // Nothing can follow.
        for payload in [BEFORE[1], b"\x0a\x05", b"\x0b\x05\x01b"] {
            assert_eq!(read(&mut trees, &[payload]), None);
        }
    }
}
