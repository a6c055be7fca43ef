//! Comparing two maps, without visiting the parts that they share.

use std::cmp::Ordering;
use std::sync::Arc;

use super::{Map, Part};

/// A key that only one of two maps has, or whose value may differ. The two values may be equal.
#[derive(Debug)]
pub enum Difference<'m, K, V> {
    /// Only the first map has it.
    Removed(&'m K, &'m V),
    /// Only the second map has it.
    Added(&'m K, &'m V),
    /// Both maps have the key, in memory that they do not share.
    Both(&'m K, &'m V, &'m V),
}

impl<K, V> Clone for Difference<'_, K, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, V> Copy for Difference<'_, K, V> {}

/// An item on the stack of parts that remain to be compared. The next one is on top.
enum Item<'m, K, V> {
    Part(&'m Arc<Part<K, V>>),
    Entry(&'m (K, V)),
}

impl<K, V> Clone for Item<'_, K, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, V> Copy for Item<'_, K, V> {}

impl<'m, K, V> Item<'m, K, V> {
    fn first(&self) -> Option<&'m K> {
        match self {
            Item::Part(part) => part.first(),
            Item::Entry((key, _)) => Some(key),
        }
    }
}

/// Calls `tell` for each difference, in the order of the keys. Shared parts are skipped.
pub fn compare<'m, K: Ord, V>(
    before: &'m Map<K, V>,
    after: &'m Map<K, V>,
    tell: &mut dyn FnMut(Difference<'m, K, V>),
) {
    if before.is_same(after) {
        return;
    }
    if let (Some(old), Some(new)) = (leaf(before), leaf(after)) {
        return leaves(old, new, tell);
    }
    let parts = |map: &'m Map<K, V>| map.root.iter().map(Item::Part).collect();
    let (mut old, mut new): (Vec<_>, Vec<_>) = (parts(before), parts(after));
    loop {
        match (old.last().copied(), new.last().copied()) {
            (None, None) => return,
            (Some(Item::Part(a)), Some(Item::Part(b))) if Arc::ptr_eq(a, b) => {
                old.pop();
                new.pop();
            }
            (Some(Item::Entry(a)), Some(Item::Entry(b))) => {
                let order = a.0.cmp(&b.0);
                if order.is_le() {
                    old.pop();
                }
                if order.is_ge() {
                    new.pop();
                }
                tell(entries(order, a, b));
            }
            (Some(a), Some(b)) => apart(&mut old, a, &mut new, b, tell),
            (Some(_), None) => alone(&mut old, &mut |(key, value)| {
                tell(Difference::Removed(key, value))
            }),
            (None, Some(_)) => alone(&mut new, &mut |(key, value)| {
                tell(Difference::Added(key, value))
            }),
        }
    }
}

/// Returns the entries of a small map.
fn leaf<K, V>(map: &Map<K, V>) -> Option<&[(K, V)]> {
    match map.root.as_deref() {
        None => Some(&[]),
        Some(Part::Leaf(entries)) => Some(entries),
        Some(Part::Branch(..)) => None,
    }
}

/// Compares small maps without a stack.
fn leaves<'m, K: Ord, V>(
    mut old: &'m [(K, V)],
    mut new: &'m [(K, V)],
    tell: &mut dyn FnMut(Difference<'m, K, V>),
) {
    loop {
        match (old.split_first(), new.split_first()) {
            (Some((a, older)), Some((b, newer))) => {
                let order = a.0.cmp(&b.0);
                if order.is_le() {
                    old = older;
                }
                if order.is_ge() {
                    new = newer;
                }
                tell(entries(order, a, b));
            }
            (Some((a, older)), None) => {
                old = older;
                tell(Difference::Removed(&a.0, &a.1));
            }
            (None, Some((b, newer))) => {
                new = newer;
                tell(Difference::Added(&b.0, &b.1));
            }
            (None, None) => return,
        }
    }
}

fn entries<'m, K, V>(order: Ordering, a: &'m (K, V), b: &'m (K, V)) -> Difference<'m, K, V> {
    match order {
        Ordering::Less => Difference::Removed(&a.0, &a.1),
        Ordering::Greater => Difference::Added(&b.0, &b.1),
        Ordering::Equal => Difference::Both(&a.0, &a.1, &b.1),
    }
}

/// Opens the part that begins first, or the larger one if both begin at one key. That lines up
/// parts that both maps share.
fn apart<'m, K: Ord, V>(
    old: &mut Vec<Item<'m, K, V>>,
    a: Item<'m, K, V>,
    new: &mut Vec<Item<'m, K, V>>,
    b: Item<'m, K, V>,
    tell: &mut dyn FnMut(Difference<'m, K, V>),
) {
    let size = |item: &Item<'_, K, V>| match item {
        Item::Part(part) => part.len(),
        Item::Entry(_) => 0,
    };
    let order = a.first().cmp(&b.first()).then(size(&b).cmp(&size(&a)));
    let first_is_old = order.is_lt() || (order.is_eq() && matches!(a, Item::Part(_)));
    match first_is_old {
        true => alone(old, &mut |(key, value)| {
            tell(Difference::Removed(key, value))
        }),
        false => alone(new, &mut |(key, value)| tell(Difference::Added(key, value))),
    }
}

/// Opens the part on top, or reports the entry on top, which the other map does not have.
fn alone<'m, K, V>(items: &mut Vec<Item<'m, K, V>>, tell: &mut dyn FnMut(&'m (K, V))) {
    match items.pop() {
        Some(Item::Entry(entry)) => tell(entry),
        Some(Item::Part(part)) => match &**part {
            Part::Leaf(entries) => items.extend(entries.iter().rev().map(Item::Entry)),
            Part::Branch(_, parts) => items.extend(parts.iter().rev().map(Item::Part)),
        },
        None => {}
    }
}
