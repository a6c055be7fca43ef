//! Indexes of attributes. They are immutable like the tree: an edit copies and changes both.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::change::Change;
use crate::error::{Error, Result};
use crate::map::Map;
use crate::node::{Key, Node, NodePath, Value};

/// The nodes, ordered by the value of one attribute.
type Index = Map<(Value, NodePath), ()>;

/// The indexes of a tree, by attribute.
#[derive(Debug, Clone, Default)]
pub struct Indexes {
    keys: Arc<BTreeMap<Key, Index>>,
}

/// Iterator over the paths of the nodes with one value.
pub struct Entries<'i> {
    entries: crate::map::range::Entries<'i, (Value, NodePath), ()>,
    value: Value,
    after: Option<NodePath>,
}

impl<'i> Iterator for Entries<'i> {
    type Item = &'i NodePath;

    fn next(&mut self) -> Option<&'i NodePath> {
        loop {
            let ((value, path), ()) = self.entries.next()?;
            if *value != self.value {
                return None;
            }
            if self.after.as_ref() != Some(path) {
                return Some(path);
            }
        }
    }
}

impl Indexes {
    /// Creates empty indexes of these keys, for a root without attributes.
    #[must_use]
    pub fn new(keys: &[String]) -> Self {
        let keys = keys.iter().map(|key| (key.as_str().into(), Map::new()));
        Indexes {
            keys: Arc::new(keys.collect()),
        }
    }

    /// Builds the indexes of these keys for a root.
    #[must_use]
    pub fn of(keys: &[String], root: &Node) -> Self {
        let mut indexes = Indexes::new(keys);
        if !indexes.is_empty() {
            indexes.insert_all(&mut NodePath::new(), root);
        }
        indexes
    }

    fn insert_all(&mut self, path: &mut NodePath, node: &Node) {
        for (key, value) in node.attributes() {
            if let Some(index) = Arc::make_mut(&mut self.keys).get_mut(key) {
                index.insert((value.clone(), path.clone()), ());
            }
        }
        for (position, child) in node.children_from(0) {
            path.push(position);
            self.insert_all(path, child);
            path.pop();
        }
    }

    /// Returns whether there is no index.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns the keys that have an index.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        self.keys.keys().map(|key| key.to_string()).collect()
    }

    /// Adds these indexes.
    pub(crate) fn add(&mut self, others: &Indexes) {
        let others = others.keys.iter();
        let others = others.map(|(key, index)| (key.clone(), index.clone()));
        Arc::make_mut(&mut self.keys).extend(others);
    }

    /// Removes an index. Returns whether it existed.
    pub(crate) fn remove_key(&mut self, key: &str) -> bool {
        self.has(key) && Arc::make_mut(&mut self.keys).remove(key).is_some()
    }

    /// Returns the indexes of these keys for a root. Only indexes that do not exist yet are built.
    pub(crate) fn with_keys(&self, keys: &[String], root: &Node) -> Self {
        let missing: Vec<String> = keys.iter().filter(|key| !self.has(key)).cloned().collect();
        let mut indexes = Indexes::of(&missing, root);
        let kept = self
            .keys
            .iter()
            .filter(|(key, _)| keys.iter().any(|it| **it == ***key));
        let kept = kept.map(|(key, index)| (key.clone(), index.clone()));
        Arc::make_mut(&mut indexes.keys).extend(kept);
        indexes
    }

    /// Updates the indexes for a change of the root `before`.
    pub fn change(&mut self, before: &Node, change: &Change) {
        if self.keys.is_empty() {
            return;
        }
        let old =
            |path: &[u64], key: &str| before.get_attributes(path, key).ok().flatten().cloned();
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

    /// Returns whether this key has an index.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.keys.contains_key(key)
    }

    fn index(&self, key: &str) -> Result<&Index> {
        let index = self.keys.get(key);
        index.ok_or_else(|| Error::NotIndexed(key.to_owned()))
    }

    /// Returns the paths of the nodes with this value, in order, starting after `after`.
    ///
    /// # Errors
    /// `NotIndexed`.
    pub fn with_value(
        &self,
        key: &str,
        value: Value,
        after: Option<&NodePath>,
    ) -> Result<Entries<'_>> {
        let from = (value.clone(), after.cloned().unwrap_or_default());
        Ok(Entries {
            entries: self.index(key)?.range(&from),
            value,
            after: after.cloned(),
        })
    }

    /// Returns at most `limit` paths of the nodes with this value, in order, starting after
    /// `after`.
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
        let found = self.with_value(key, value.into(), after)?;
        Ok(found.take(limit).cloned().collect())
    }

    /// Returns at most `limit` nodes with values from `from` to `to`, in the order of the values,
    /// then of the paths, starting after `after`.
    ///
    /// # Errors
    /// `NotIndexed`.
    pub fn range(
        &self,
        key: &str,
        from: &[u8],
        to: &[u8],
        after: Option<&(Value, NodePath)>,
        limit: usize,
    ) -> Result<Vec<&(Value, NodePath)>> {
        let begin = (Value::from(from), NodePath::new());
        let begin = after.map_or(&begin, |after| after.max(&begin));
        let found = self.index(key)?.range(begin).map(|(entry, ())| entry);
        let found = found.take_while(|(value, _)| **value <= *to);
        let found = found.filter(|entry| Some(*entry) != after);
        Ok(found.take(limit).collect())
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
