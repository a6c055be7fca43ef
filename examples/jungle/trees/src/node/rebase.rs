//! Rebasing: changes that were made beside others are carried over to the nodes that the others
//! have made, without repeating the edits.
//!
//! A subtree that only one side has changed is taken as a whole. So the time is proportional to the
//! number of nodes that both sides have changed, and of the children of these that one side has
//! changed.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::change::Change;
use crate::map::Difference::{self, Added, Both, Removed};
use crate::map::{Map, compare};

use super::{Key, Node, Position, Value};

/// Both sides have changed one thing, or a child has a position that was used before.
#[derive(Debug)]
pub(crate) struct Conflict;

impl Node {
    /// Makes the changes from `before` to `after` in this node, which others have made from
    /// `before`. After a conflict, the node is of no use.
    pub(crate) fn rebase(&mut self, before: &Node, after: &Node) -> Result<(), Conflict> {
        if before.is_same(after) {
            return Ok(());
        }
        if before.is_same(self) {
            *self = after.clone();
            return Ok(());
        }
        let own = Arc::make_mut(&mut self.inner);
        let (before, after) = (&before.inner, &after.inner);
        if own.next < before.next {
            // The others have put another node here.
            return Err(Conflict);
        }
        for difference in differences(&before.attributes, &after.attributes) {
            attribute(&mut own.attributes, &difference)?;
        }
        for difference in differences(&before.children, &after.children) {
            child(&mut own.children, own.next, &difference)?;
        }
        own.next = own.next.max(after.next);
        own.height = own.height.max(after.height);
        own.highest = own.highest.max(after.highest);
        let more = after.below.wrapping_sub(before.below);
        own.below = own.below.wrapping_add(more);
        Ok(())
    }
}

fn differences<'m, K: Ord, V>(
    before: &'m Map<K, V>,
    after: &'m Map<K, V>,
) -> Vec<Difference<'m, K, V>> {
    let mut all = Vec::new();
    compare(before, after, &mut |difference| all.push(difference));
    all
}

/// Returns whether the result of these changes shows everything that they touch. That is not so if,
/// for example, an attribute is set and removed again: the result does not show that others must
/// not have set it.
pub(crate) fn leave_traces(changes: &[Change]) -> bool {
    let removes = |change: &Change| matches!(change, Change::Delete(..) | Change::Remove(..));
    if !changes.iter().any(removes) {
        return true;
    }
    let mut touched = BTreeSet::new();
    changes.iter().all(|change| match change {
        Change::Add(path, position) | Change::Delete(path, position) => {
            touched.insert((path, Some(position), None))
        }
        Change::Put(path, key, _) | Change::Remove(path, key) => {
            touched.insert((path, None, Some(key)))
        }
        Change::Reserve(..) => true,
    })
}

/// Makes one change of the attributes, if the others have left this one as it was.
fn attribute(
    own: &mut Map<Key, Value>,
    difference: &Difference<'_, Key, Value>,
) -> Result<(), Conflict> {
    let (key, old, new) = match difference {
        // A value that is set again is other memory, even if it is equal.
        Both(_, old, new) if Arc::ptr_eq(old, new) => return Ok(()),
        Both(key, old, new) => (*key, Some(*old), Some(*new)),
        Removed(key, old) => (*key, Some(*old), None),
        Added(key, new) => (*key, None, Some(*new)),
    };
    if own.get(key) != old {
        return Err(Conflict);
    }
    match new {
        Some(new) => drop(own.insert(key.clone(), new.clone())),
        None => drop(own.remove(key)),
    }
    Ok(())
}

/// Makes one change of the children, or at and below one of them. Positions below `next` were used
/// before.
fn child(
    own: &mut Map<Position, Node>,
    next: Position,
    difference: &Difference<'_, Position, Node>,
) -> Result<(), Conflict> {
    match difference {
        Both(_, old, new) if old.is_same(new) => Ok(()),
        Both(position, old, new) => {
            let child = own.get_mut(position).ok_or(Conflict)?;
            child.rebase(old, new)
        }
        Removed(position, old) => match own.get(*position) {
            Some(child) if child.is_same(old) => {
                own.remove(position);
                Ok(())
            }
            _ => Err(Conflict),
        },
        Added(position, new) if **position >= next => {
            own.insert(**position, (*new).clone());
            Ok(())
        }
        Added(..) => Err(Conflict),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Makes a change of a small tree: its kind, a path, a position.
    fn change((kind, path, at): (u8, Vec<Position>, Position)) -> Change {
        match kind {
            0..4 => Change::Add(path, at),
            4 => Change::Delete(path, at),
            5..8 => Change::Put(path, format!("key{at}").into(), vec![kind].into()),
            8 => Change::Remove(path, format!("key{at}").into()),
            _ => Change::Reserve(path, at),
        }
    }

    fn changes() -> impl Strategy<Value = Vec<Change>> {
        let path = prop::collection::vec(0u64..3, 0..3);
        let change = (0u8..10, path, 0u64..6).prop_map(change);
        prop::collection::vec(change, 0..12)
    }

    /// Makes those of the changes that are possible.
    fn made(root: &Node, changes: &[Change]) -> (Node, Vec<Change>) {
        let (mut root, mut made) = (root.clone(), Vec::new());
        for change in changes {
            if change.apply_to(&mut root).is_ok() {
                made.push(change.clone());
            }
        }
        (root, made)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn rebased_changes_are_as_if_they_were_made_afterwards(
            first in changes(), own in changes(), others in changes()
        ) {
            let (before, _) = made(&Node::new(), &first);
            let (after, own) = made(&before, &own);
            prop_assume!(leave_traces(&own));
            let (mut theirs, _) = made(&before, &others);
            let expected = Change::apply_all(&own, &theirs);
            if theirs.rebase(&before, &after).is_ok() {
                let expected = expected.expect("nothing of them was changed");
                prop_assert_eq!(&theirs, &expected);
                prop_assert!(theirs.inner.height >= expected.inner.height);
                prop_assert!(theirs.highest() >= expected.highest());
            }
        }
    }

    #[test]
    fn things_that_are_touched_twice_leave_no_traces() {
        let [add, delete] = [Change::Add, Change::Delete].map(|it| it(vec![1], 2));
        let put = Change::Put(vec![1], "a".into(), [1].into());
        let remove = Change::Remove(vec![1], "a".into());
        let is_shown = |changes: &[&Change]| {
            let changes: Vec<Change> = changes.iter().map(|it| (*it).clone()).collect();
            leave_traces(&changes)
        };
        assert!(is_shown(&[&put, &add, &put]));
        assert!(is_shown(&[&put, &delete]) && is_shown(&[&add, &remove]));
        assert!(!is_shown(&[&put, &remove]) && !is_shown(&[&delete, &add]));
    }

    #[test]
    fn only_changes_of_one_thing_conflict() {
        let put =
            |path: &[Position], value: u8| Change::Put(path.to_vec(), "a".into(), [value].into());
        let add = |path: &[Position], at| Change::Add(path.to_vec(), at);
        let first: Vec<Change> = (0..40).map(|at| add(&[], at)).collect();
        let (before, _) = made(&Node::new(), &first);
        let cases = [
            (put(&[3], 1), put(&[4], 1), true),
            (put(&[3], 1), put(&[3], 1), false),
            (put(&[3], 1), put(&[], 1), true),
            (add(&[3], 0), put(&[3], 1), true),
            (add(&[3], 0), add(&[4], 0), true),
            (add(&[3], 0), add(&[3], 0), false),
            (add(&[], 41), add(&[], 40), true),
            (add(&[], 40), add(&[], 41), false),
            (Change::Delete(vec![], 3), put(&[4], 1), true),
            (Change::Delete(vec![], 3), put(&[3], 1), false),
            (put(&[3], 1), Change::Delete(vec![], 3), false),
        ];
        let mut replaced = before.clone();
        let again = [Change::Delete(vec![], 3), add(&[], 3)];
        let (after, _) = made(&before, &[add(&[3], 0)]);
        let (reserved, _) = made(&after, &[Change::Reserve(vec![3], 0), put(&[4], 1)]);
        again
            .iter()
            .for_each(|change| change.apply_to(&mut replaced).expect("it is possible"));
        replaced
            .rebase(&after, &reserved)
            .expect_err("another node is at this position");
        for (own, others, is_possible) in cases {
            let after = own.apply(&before).expect("it is possible");
            let mut theirs = others.apply(&before).expect("it is possible");
            let rebased = theirs.rebase(&before, &after);
            assert_eq!(rebased.is_ok(), is_possible, "{own:?} after {others:?}");
        }
    }
}
