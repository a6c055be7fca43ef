//! Trees from their records.

use std::collections::BTreeMap;

use crate::index::Indexes;
use crate::node::Node;
use crate::tree::Version;

use super::record::Record;

/// The trees of a log by their numbers in it, with their names.
#[derive(Default)]
pub(crate) struct Trees(pub(crate) BTreeMap<u64, (String, Version)>);

impl Trees {
    /// `None` if the record cannot follow those before it. What a snapshot has already is passed
    /// over.
    pub(crate) fn replay(&mut self, record: Record) -> Option<()> {
        match record {
            Record::Create(tree, name, indexed) => self.create(tree, 0, name, &indexed),
            Record::Tree(tree, number, name, indexed) => self.create(tree, number, name, &indexed),
            Record::Version(tree, number, changes) => {
                let (_, version) = self.0.get_mut(&tree)?;
                if number <= version.number {
                    return Some(());
                }
                if number != version.number + 1 {
                    return None;
                }
                version.number = number;
                version.change(&changes)
            }
            Record::Part(tree, changes) => self.0.get_mut(&tree)?.1.change(&changes),
            Record::End(count) => (count == self.0.len() as u64).then_some(()),
        }
    }

    fn create(&mut self, tree: u64, number: u64, name: String, indexed: &[String]) -> Option<()> {
        if let Some((known, _)) = self.0.get(&tree) {
            return (*known == name).then_some(());
        }
        let version = Version {
            number,
            node: Node::new(),
            indexes: Indexes::new(indexed),
        };
        self.0.insert(tree, (name, version));
        Some(())
    }
}

impl Version {
    fn change(&mut self, changes: &[crate::change::Change]) -> Option<()> {
        for change in changes {
            if !self.indexes.is_empty() {
                self.indexes.change(&self.node, change);
            }
            change.apply_to(&mut self.node).ok()?;
        }
        Some(())
    }
}
