//! An immutable ordered map: copies share everything that they have in common.
//!
//! It is a B-tree: a change copies the nodes from the root to one leaf. Comparing two maps skips
//! the parts that they share. That is the reason for a map of our own: rpds cannot do that, and
//! deny.toml does not allow the licence of imbl.

mod compared;
pub(crate) mod range;

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

pub use compared::{Difference, compare};

/// Maximum number of entries of a leaf, and of children of a branch. A change copies a leaf, and
/// with it the references of all its entries.
const WIDTH: usize = 16;

/// An ordered map. Cloning it copies one reference. An empty one has no memory of its own.
pub struct Map<K, V> {
    root: Option<Arc<Part<K, V>>>,
}

/// A node of the B-tree. It is never empty.
enum Part<K, V> {
    Leaf(Vec<(K, V)>),
    /// A branch with the number of entries below it, and its children.
    Branch(usize, Vec<Arc<Part<K, V>>>),
}

impl<K, V> Map<K, V> {
    /// Creates an empty map.
    #[must_use]
    pub fn new() -> Self {
        Map { root: None }
    }

    /// Returns the number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.root.as_ref().map_or(0, |root| root.len())
    }

    /// Returns whether the map has no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether both maps are the same memory. If not, they may still be equal.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.root, &other.root) {
            (Some(root), Some(other)) => Arc::ptr_eq(root, other),
            (root, other) => root.is_none() && other.is_none(),
        }
    }
}

impl<K: Ord + Clone, V: Clone> Map<K, V> {
    /// Returns the value of a key.
    #[must_use]
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let mut part = &**self.root.as_ref()?;
        loop {
            match part {
                Part::Leaf(entries) => {
                    let at = entries.binary_search_by(|(known, _)| known.borrow().cmp(key));
                    return at.ok().map(|at| &entries[at].1);
                }
                Part::Branch(_, parts) => part = &parts[child_of(parts, key)],
            }
        }
    }

    /// Returns a mutable reference to the value of a key.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.get(key)?;
        let mut part = Arc::make_mut(self.root.as_mut()?);
        loop {
            match part {
                Part::Leaf(entries) => {
                    let at = entries.binary_search_by(|(known, _)| known.cmp(key));
                    return at.ok().map(|at| &mut entries[at].1);
                }
                Part::Branch(_, parts) => {
                    let at = child_of(parts, key);
                    part = Arc::make_mut(&mut parts[at]);
                }
            }
        }
    }

    /// Sets the value of a key. Returns the old value.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let Some(root) = &mut self.root else {
            self.root = Some(Arc::new(Part::Leaf(vec![(key, value)])));
            return None;
        };
        let (before, right) = Arc::make_mut(root).insert(key, value);
        if let Some(right) = right {
            let parts = vec![root.clone(), Arc::new(right)];
            *root = Arc::new(Part::Branch(total(&parts), parts));
        }
        before
    }

    /// Removes a key. Returns its value.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        self.get(key)?;
        let root = self.root.as_mut()?;
        let removed = Arc::make_mut(root).remove(key);
        while let Part::Branch(_, parts) = &**root {
            let [only] = &parts[..] else { break };
            *root = only.clone();
        }
        if root.len() == 0 {
            self.root = None;
        }
        removed
    }
}

/// Returns the index of the child that contains the key, or would contain it.
fn child_of<K: Borrow<Q>, V, Q: Ord + ?Sized>(parts: &[Arc<Part<K, V>>], key: &Q) -> usize {
    let is_before = |part: &Arc<Part<K, V>>| part.first().is_some_and(|it| it.borrow() <= key);
    let after = parts.partition_point(is_before);
    after.saturating_sub(1)
}

fn total<K, V>(parts: &[Arc<Part<K, V>>]) -> usize {
    parts.iter().map(|part| part.len()).sum()
}

impl<K, V> Part<K, V> {
    fn len(&self) -> usize {
        match self {
            Part::Leaf(entries) => entries.len(),
            Part::Branch(count, _) => *count,
        }
    }

    /// Returns the smallest key.
    fn first(&self) -> Option<&K> {
        match self {
            Part::Leaf(entries) => entries.first().map(|(key, _)| key),
            Part::Branch(_, parts) => parts.first()?.first(),
        }
    }
}

impl<K: Ord + Clone, V: Clone> Part<K, V> {
    /// Inserts an entry. If the part becomes too wide, it is split, and its right half is returned
    /// as well.
    fn insert(&mut self, key: K, value: V) -> (Option<V>, Option<Self>) {
        match self {
            Part::Leaf(entries) => match entries.binary_search_by(|(known, _)| known.cmp(&key)) {
                Ok(at) => (Some(std::mem::replace(&mut entries[at].1, value)), None),
                Err(at) => {
                    entries.insert(at, (key, value));
                    let right = (entries.len() > WIDTH).then(|| {
                        // If keys are inserted in ascending order, this fills the leaves.
                        let from = if at + 1 == entries.len() {
                            at
                        } else {
                            WIDTH / 2
                        };
                        Part::Leaf(entries.split_off(from))
                    });
                    (None, right)
                }
            },
            Part::Branch(count, parts) => {
                let at = child_of(parts, &key);
                let (before, right) = Arc::make_mut(&mut parts[at]).insert(key, value);
                *count += usize::from(before.is_none());
                if let Some(right) = right {
                    parts.insert(at + 1, Arc::new(right));
                }
                let right = (parts.len() > WIDTH).then(|| {
                    let from = if at + 2 == parts.len() {
                        WIDTH
                    } else {
                        WIDTH / 2
                    };
                    let right = parts.split_off(from);
                    *count = total(parts);
                    Part::Branch(total(&right), right)
                });
                (before, right)
            }
        }
    }

    fn remove(&mut self, key: &K) -> Option<V> {
        match self {
            Part::Leaf(entries) => {
                let at = entries.binary_search_by(|(known, _)| known.cmp(key));
                at.ok().map(|at| entries.remove(at).1)
            }
            Part::Branch(count, parts) => {
                let at = child_of(parts, key);
                let removed = Arc::make_mut(&mut parts[at]).remove(key);
                *count -= usize::from(removed.is_some());
                join(parts, at);
                removed
            }
        }
    }
}

/// Joins a part that has become small with its neighbour, if both fit into one.
fn join<K: Clone, V: Clone>(parts: &mut Vec<Arc<Part<K, V>>>, at: usize) {
    if parts[at].len() == 0 {
        parts.remove(at);
        return;
    }
    let left = at.min(parts.len().saturating_sub(2));
    let Some([a, b]) = parts.get(left..left + 2) else {
        return;
    };
    let joined = match (&**a, &**b) {
        (Part::Leaf(a), Part::Leaf(b)) if a.len() + b.len() <= WIDTH / 2 => {
            Part::Leaf([&a[..], b].concat())
        }
        (Part::Branch(m, a), Part::Branch(n, b)) if a.len() + b.len() <= WIDTH / 2 => {
            Part::Branch(m + n, [&a[..], b].concat())
        }
        _ => return,
    };
    parts[left] = Arc::new(joined);
    parts.remove(left + 1);
}

/// The copy has room for the entry that is inserted next.
impl<K: Clone, V: Clone> Clone for Part<K, V> {
    fn clone(&self) -> Self {
        match self {
            Part::Leaf(entries) => Part::Leaf(with_room(entries)),
            Part::Branch(count, parts) => Part::Branch(*count, with_room(parts)),
        }
    }
}

fn with_room<T: Clone>(items: &[T]) -> Vec<T> {
    let mut copy = Vec::with_capacity(items.len() + 1);
    copy.extend_from_slice(items);
    copy
}

impl<K, V> Clone for Map<K, V> {
    fn clone(&self) -> Self {
        Map {
            root: self.root.clone(),
        }
    }
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Map::new()
    }
}

impl<K: Ord + Clone + PartialEq, V: Clone + PartialEq> PartialEq for Map<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || (self.len() == other.len() && self.iter().eq(other.iter()))
    }
}

impl<K: Ord + Clone + fmt::Debug, V: Clone + fmt::Debug> fmt::Debug for Map<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Compares the map with the standard library's, and checks that comparing it with an
        /// earlier copy reports what has changed.
        #[test]
        fn a_map_is_an_ordered_map(edits in prop::collection::vec((0u16..600, any::<Option<u8>>()), 0..1500), kept in 0usize..1500) {
            let (mut map, mut model) = (Map::new(), BTreeMap::new());
            let (mut earlier, mut earlier_model) = (Map::new(), BTreeMap::new());
            for (number, (key, value)) in edits.iter().enumerate() {
                if number == kept {
                    (earlier, earlier_model) = (map.clone(), model.clone());
                }
                match value {
                    Some(value) => prop_assert_eq!(map.insert(*key, *value), model.insert(*key, *value)),
                    None => prop_assert_eq!(map.remove(key), model.remove(key)),
                }
                prop_assert_eq!(map.len(), model.len());
            }
            prop_assert!(map.iter().eq(model.iter()));
            prop_assert!(earlier.iter().eq(earlier_model.iter()));
            let from = 300;
            prop_assert!(map.range(&from).eq(model.range(from..)));
            prop_assert!(map.iter_back().eq(model.iter().rev()));
            let mut rebuilt = earlier_model.clone();
            compare(&earlier, &map, &mut |difference| match difference {
                Difference::Removed(key, _) => { rebuilt.remove(key); }
                Difference::Added(key, value) | Difference::Both(key, _, value) => { rebuilt.insert(*key, *value); }
            });
            prop_assert_eq!(rebuilt, model);
        }
    }

    #[test]
    fn what_two_maps_share_is_not_compared() {
        let mut large = Map::new();
        (0..100_000u32).for_each(|key| assert_eq!(large.insert(key, 0u8), None));
        let mut other = large.clone();
        other.insert(50_000, 1);
        other.remove(&70_000);
        let mut seen = 0;
        compare(&large, &other, &mut |_| seen += 1);
        assert!((2..200).contains(&seen), "{seen} of 100,000 were looked at");
    }
}
