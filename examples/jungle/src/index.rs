//! Indexes of attributes: an edit of a tree edits a copy of them, too.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::change::Change;
use crate::error::{Error, Result};
use crate::map::Map;
use crate::node::{Key, Node, NodePath, Value};

/// The nodes by the value of one attribute.
type Index = Map<(Value, NodePath), ()>;

/// The nodes by the values of some attributes.
#[derive(Debug, Clone, Default)]
pub struct Indexes {
    keys: Arc<BTreeMap<Key, Index>>,
}

impl Indexes {
    /// Empty indexes of these keys, for a root without attributes.
    #[must_use]
    pub fn new(keys: &[String]) -> Self {
        let keys = keys.iter().map(|key| (key.as_str().into(), Map::new()));
        Indexes {
            keys: Arc::new(keys.collect()),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The keys that are indexed.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        self.keys.keys().map(|key| key.to_string()).collect()
    }

    /// After a change of the root that it was for.
    pub fn change(&mut self, before: &Node, change: &Change) {
        if self.keys.is_empty() {
            return;
        }
        let old = |path: &[u64], key: &str| before.get_attributes(path, key).ok().flatten();
        match change {
            Change::Put(path, key, value) => {
                self.remove(path, key, old(path, key));
                if let Some(index) = Arc::make_mut(&mut self.keys).get_mut(key) {
                    index.insert((value.clone(), path.clone()), ());
                }
            }
            Change::Remove(path, key) => self.remove(path, key, old(path, key)),
            Change::Delete(path, position) => {
                let path = [&path[..], &[*position]].concat();
                if let Ok(node) = before.at(&path) {
                    self.remove_all(&path, node);
                }
            }
            Change::Add(..) | Change::Reserve(..) => {}
        }
    }

    /// The paths of the nodes with this value, in order, from the one after `after` on.
    ///
    /// # Errors
    /// `NotIndexed`.
    pub fn find(
        &self,
        key: &str,
        value: &[u8],
        after: Option<&NodePath>,
        limit: usize,
    ) -> Result<Vec<NodePath>> {
        let index = self.keys.get(key);
        let index = index.ok_or_else(|| Error::NotIndexed(key.to_owned()))?;
        let from = (Value::from(value), after.cloned().unwrap_or_default());
        let found = index.range(&from).map(|((value, path), ())| (value, path));
        let found = found.take_while(|(found, _)| ***found == *value);
        let found = found.filter(|(_, path)| Some(*path) != after);
        Ok(found.take(limit).map(|(_, path)| path.clone()).collect())
    }

    fn remove(&mut self, path: &[u64], key: &str, old: Option<Value>) {
        let index = self.keys.contains_key(key);
        if let (true, Some(old)) = (index, old)
            && let Some(index) = Arc::make_mut(&mut self.keys).get_mut(key)
        {
            index.remove(&(old, path.to_vec()));
        }
    }

    fn remove_all(&mut self, path: &[u64], node: &Node) {
        for (key, value) in node.attributes() {
            self.remove(path, key, Some(value.clone()));
        }
        for (position, child) in node.children_from(0) {
            self.remove_all(&[path, &[position]].concat(), child);
        }
    }
}
