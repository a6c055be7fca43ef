//! Changes: the differences between two roots, as the log, the indexes and the watchers use them.

use std::sync::LazyLock;

use otp_bridge::Term;
use otp_bridge::term::Binary;

use crate::error::{Error, Result};
use crate::map::Difference::{self, Added, Both, Removed};
use crate::node::{Key, Node, NodePath, Position, Value};
use crate::tree::Version;

/// One difference between two roots. Applying all of them in order turns the first root into the
/// second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// The node has a new child.
    Add(NodePath, Position),
    /// The node's child is removed.
    Delete(NodePath, Position),
    /// The attribute has a new value.
    Put(NodePath, Key, Value),
    /// The attribute is removed.
    Remove(NodePath, Key),
    /// Positions below this one are used up, by children that were added and removed.
    Reserve(NodePath, Position),
}

/// The form of a [`Change`] as an Erlang term.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub enum ChangeTerm {
    /// `{add, Path, Position}`
    Add(NodePath, Position),
    /// `{delete, Path, Position}`
    Delete(NodePath, Position),
    /// `{put, Path, Key, Value}`
    Put(NodePath, String, Binary),
    /// `{remove, Path, Key}`
    Remove(NodePath, String),
    /// `{reserve, Path, Position}`
    Reserve(NodePath, Position),
}

impl Change {
    /// Returns the node that changes.
    #[must_use]
    pub fn path(&self) -> &[Position] {
        match self {
            Change::Add(path, _)
            | Change::Delete(path, _)
            | Change::Put(path, ..)
            | Change::Remove(path, _)
            | Change::Reserve(path, _) => path,
        }
    }

    /// Returns whether the change is at or below a node.
    #[must_use]
    pub fn is_below(&self, root: &[Position]) -> bool {
        let path = self.path();
        path.starts_with(root)
            || matches!(self, Change::Add(_, position) | Change::Delete(_, position)
                if root.strip_prefix(path).is_some_and(|rest| rest.first() == Some(position)))
    }

    /// Applies the change to a copy of a root.
    ///
    /// # Errors
    /// The change is impossible in this root.
    pub fn apply(&self, root: &Node) -> Result<Node> {
        let mut root = root.clone();
        self.apply_to(&mut root)?;
        Ok(root)
    }

    /// Applies the change to a root in place. Only nodes that are shared are copied.
    ///
    /// # Errors
    /// Those of [`Change::apply`]. The root stays unchanged.
    pub fn apply_to(&self, root: &mut Node) -> Result<()> {
        match self {
            Change::Add(path, position) if root.at(path)?.child(*position).is_some() => {
                Err(Error::ChildExists([path, &[*position][..]].concat()))
            }
            Change::Add(path, position) => root.put_child(path, *position, Node::new()),
            Change::Delete(path, position) => root.delete_child(path, *position),
            Change::Put(path, key, value) => root.put(path, key.clone(), value.clone()),
            Change::Remove(path, key) => root.remove(path, key),
            Change::Reserve(path, next) => root.reserve(path, *next),
        }
    }

    /// Applies all changes, in order, to a copy of a root.
    ///
    /// # Errors
    /// The error of the first change that is impossible.
    pub fn apply_all(changes: &[Change], root: &Node) -> Result<Node> {
        let mut root = root.clone();
        changes
            .iter()
            .try_for_each(|change| change.apply_to(&mut root))?;
        Ok(root)
    }

    /// Returns the change as a term.
    #[must_use]
    pub fn to_term(&self) -> ChangeTerm {
        match self.clone() {
            Change::Add(path, position) => ChangeTerm::Add(path, position),
            Change::Delete(path, position) => ChangeTerm::Delete(path, position),
            Change::Put(path, key, value) => {
                ChangeTerm::Put(path, key.to_string(), Binary::from(value.to_vec()))
            }
            Change::Remove(path, key) => ChangeTerm::Remove(path, key.to_string()),
            Change::Reserve(path, next) => ChangeTerm::Reserve(path, next),
        }
    }
}

impl From<ChangeTerm> for Change {
    fn from(term: ChangeTerm) -> Self {
        match term {
            ChangeTerm::Add(path, position) => Change::Add(path, position),
            ChangeTerm::Delete(path, position) => Change::Delete(path, position),
            ChangeTerm::Put(path, key, value) => {
                Change::Put(path, key.as_str().into(), value.to_vec().into())
            }
            ChangeTerm::Remove(path, key) => Change::Remove(path, key.as_str().into()),
            ChangeTerm::Reserve(path, next) => Change::Reserve(path, next),
        }
    }
}

/// Returns the changes that turn one root into another. The time is proportional to the number of
/// differences.
#[must_use]
pub fn diff(before: &Node, after: &Node) -> Vec<Change> {
    let mut walk = Walk::default();
    walk.nodes(before, after, false);
    walk.changes
}

/// Returns the changes from a version to the next root, after raising the root's next positions so
/// that no position is assigned twice. That is necessary in two cases: an older root does not know
/// which positions were assigned after it, and the next position of a deleted node is forgotten
/// before the node is put back.
pub(crate) fn next_root(before: &Version, after: &mut Node) -> Vec<Change> {
    let mut walk = Walk {
        highest: before.highest,
        ..Walk::default()
    };
    walk.nodes(&before.node, after, false);
    if walk.lower.is_empty() {
        return walk.changes;
    }
    for (path, next) in walk.lower {
        // The path comes from this root, so it exists.
        let _ = after.reserve(&path, next);
    }
    diff(&before.node, after)
}

/// The node that a new child is compared with.
static EMPTY: LazyLock<Node> = LazyLock::new(Node::new);

/// A comparison of two roots.
#[derive(Default)]
struct Walk<'n> {
    path: NodePath,
    changes: Vec<Change>,
    /// The children that differ, of all nodes on the path that still have some to compare. One list
    /// of all needs no memory for each node.
    children: Vec<Difference<'n, Position, Node>>,
    /// Upper bound of all positions that were ever assigned in the tree.
    highest: Position,
    /// Nodes whose next position is too low, and the value to raise it to.
    lower: Vec<(NodePath, Position)>,
}

impl<'n> Walk<'n> {
    /// Compares two nodes. `is_back` means that the node, or an ancestor, had been deleted before.
    fn nodes(&mut self, before: &'n Node, after: &'n Node, is_back: bool) {
        if before.is_same(after) {
            return;
        }
        let least = before
            .next_position()
            .max(if is_back { self.highest } else { 0 });
        if after.next_position() < least {
            self.lower.push((self.path.clone(), least));
        }
        let (mut attributes, own) = (Vec::new(), self.children.len());
        before.compare(
            after,
            &mut |attribute| attributes.push(attribute),
            &mut |child| match child {
                Both(_, old, new) if old.is_same(new) => {}
                child => self.children.push(child),
            },
        );
        self.attributes(attributes);
        let mut next = before.next_position();
        for at in own..self.children.len() {
            let (position, old, new) = match self.children[at] {
                Removed(position, _) => {
                    let change = Change::Delete(self.path.clone(), *position);
                    self.changes.push(change);
                    continue;
                }
                Added(position, new) => {
                    let change = Change::Add(self.path.clone(), *position);
                    self.changes.push(change);
                    next = next.max(position + 1);
                    (position, None, new)
                }
                Both(position, old, new) => (position, Some(old), new),
            };
            let is_back = is_back || (old.is_none() && *position < before.next_position());
            self.path.push(*position);
            self.nodes(old.unwrap_or(&EMPTY), new, is_back);
            self.path.pop();
        }
        self.children.truncate(own);
        if next < after.next_position() {
            let change = Change::Reserve(self.path.clone(), after.next_position());
            self.changes.push(change);
        }
    }

    fn attributes(&mut self, differences: Vec<Difference<'_, Key, Value>>) {
        for attribute in differences {
            let path = self.path.clone();
            match attribute {
                Removed(key, _) => self.changes.push(Change::Remove(path, key.clone())),
                Both(_, old, new) if old == new => {}
                Added(key, new) | Both(key, _, new) => {
                    self.changes
                        .push(Change::Put(path, key.clone(), new.clone()));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Edits a small tree: kind of the edit, path, position.
    fn edit(root: &Node, (what, path, at): &(u8, Vec<Position>, Position)) -> Result<Node> {
        match what {
            0..4 => root.add_child_at(path),
            4 => root.delete_child_at(path, *at),
            5..8 => root.put_attribute(path, &format!("key{at}"), vec![*what]),
            _ => root.delete_attribute(path, &format!("key{at}")),
        }
    }

    fn count(node: &Node) -> u64 {
        node.children_from(0)
            .map(|(_, child)| count(child))
            .sum::<u64>()
            + 1
    }

    proptest! {
        #[test]
        fn a_diff_makes_the_other_root(
            edits in prop::collection::vec((0u8..9, prop::collection::vec(0u64..3, 0..4), 0u64..3), 0..200),
            kept in 0usize..200,
        ) {
            let (mut root, mut kept_root) = (Node::new(), Node::new());
            for (number, step) in edits.iter().enumerate() {
                if number == kept {
                    kept_root = root.clone();
                }
                root = edit(&root, step).unwrap_or(root);
                prop_assert_eq!(root.size(), count(&root));
            }
            for (from, to) in [(&kept_root, &root), (&Node::new(), &root)] {
                let mut made = from.clone();
                for change in diff(from, to) {
                    made = change.apply(&made).expect("it has happened");
                }
                prop_assert_eq!(&made, to);
            }
        }
    }

    #[test]
    fn a_diff_is_as_large_as_what_differs() {
        let mut root = Node::new();
        for _ in 0..10_000 {
            root = root.add_child_at(&[]).unwrap();
        }
        let other = root.put_attribute(&[7000], "colour", *b"blue").unwrap();
        assert_eq!(
            diff(&root, &other),
            [Change::Put(vec![7000], "colour".into(), (*b"blue").into())]
        );
        assert_eq!(diff(&root, &root), []);
    }

    #[test]
    fn paths_that_do_not_exist_are_named() {
        use crate::error::Error;
        let root = Node::new().add_child_at(&[]).unwrap();
        assert_eq!(
            root.add_child_at(&[0, 1, 2]),
            Err(Error::NoNode(vec![0, 1]))
        );
        assert_eq!(root.delete_child_at(&[], 1), Err(Error::NoNode(vec![1])));
        assert_eq!(
            root.delete_attribute(&[0], "a"),
            Err(Error::NoAttribute("a".to_owned()))
        );
        assert!(matches!(
            root.put_attribute(&[], &"a".repeat(2000), *b""),
            Err(Error::TooLarge(..))
        ));
        let deleted = root
            .delete_child_at(&[], 0)
            .unwrap()
            .add_child_at(&[])
            .unwrap();
        assert_eq!(
            deleted.assoc_children(&[]).unwrap()[0].0,
            1,
            "a position is given once"
        );
    }

    #[test]
    fn a_tree_does_not_become_deeper_by_putting_it_into_another_one() {
        use crate::error::{Error, MAX_DEPTH};
        let mut node = Node::new();
        for _ in 0..MAX_DEPTH {
            node = Node::new().put_child_at(&[], 0, node).unwrap();
        }
        let too_deep = || Err(Error::TooLarge("path".to_owned(), MAX_DEPTH as u64));
        assert_eq!(Node::new().put_child_at(&[], 0, node.clone()), too_deep());
        // The limit also applies if the levels are added one by one.
        let below = node
            .at(&[0])
            .unwrap()
            .put_attribute(&[0], "a", *b"b")
            .unwrap();
        let again = Node::new().put_child_at(&[], 0, below).unwrap();
        assert_eq!(again.add_child_at(&[0; MAX_DEPTH]), too_deep());
        assert_eq!(Node::new().put_child_at(&[], 0, again), too_deep());
    }
}
