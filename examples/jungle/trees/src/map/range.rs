//! Iterating over a map in the order of its keys.

use std::slice::Iter;
use std::sync::Arc;

use super::{Map, Part, child_of};

/// Iterator over entries in order. See [`Map::iter`].
pub struct Entries<'m, K, V> {
    branches: Vec<Iter<'m, Arc<Part<K, V>>>>,
    leaf: Iter<'m, (K, V)>,
}

impl<K: Ord + Clone, V: Clone> Map<K, V> {
    /// Iterates over all entries.
    #[must_use]
    pub fn iter(&self) -> Entries<'_, K, V> {
        let mut entries = Entries {
            branches: Vec::new(),
            leaf: [].iter(),
        };
        if let Some(root) = &self.root {
            entries.descend(root, None);
        }
        entries
    }

    /// Iterates over the entries, starting at a key.
    #[must_use]
    pub fn range(&self, from: &K) -> Entries<'_, K, V> {
        let mut entries = Entries {
            branches: Vec::new(),
            leaf: [].iter(),
        };
        if let Some(root) = &self.root {
            entries.descend(root, Some(from));
        }
        entries
    }

    /// Iterates over all entries in reverse order.
    pub fn iter_back(&self) -> impl Iterator<Item = (&K, &V)> {
        let mut stack: Vec<&Part<K, V>> = self.root.as_deref().into_iter().collect();
        let mut leaf: &[(K, V)] = &[];
        std::iter::from_fn(move || {
            while leaf.is_empty() {
                match stack.pop()? {
                    Part::Leaf(entries) => leaf = entries,
                    Part::Branch(_, parts) => stack.extend(parts.iter().map(|part| &**part)),
                }
            }
            let (last, rest) = leaf.split_last()?;
            leaf = rest;
            Some((&last.0, &last.1))
        })
    }
}

impl<'m, K: Ord, V> Entries<'m, K, V> {
    fn descend(&mut self, mut part: &'m Part<K, V>, from: Option<&K>) {
        loop {
            match part {
                Part::Leaf(entries) => {
                    let first =
                        from.map_or(0, |from| entries.partition_point(|(key, _)| key < from));
                    self.leaf = entries[first..].iter();
                    return;
                }
                Part::Branch(_, parts) => {
                    let at = from.map_or(0, |from| child_of(parts, from));
                    self.branches.push(parts[at + 1..].iter());
                    part = &parts[at];
                }
            }
        }
    }
}

impl<'m, K: Ord, V> Iterator for Entries<'m, K, V> {
    type Item = (&'m K, &'m V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((key, value)) = self.leaf.next() {
                return Some((key, value));
            }
            match self.branches.last_mut()?.next() {
                Some(part) => self.descend(part, None),
                None => drop(self.branches.pop()),
            }
        }
    }
}
