//! Nodes. An edit leaves the node that it is given as it is, and returns another one, which shares with it what is equal.

use std::sync::Arc;

use crate::error::{Error, MAX_DEPTH, MAX_KEY, MAX_VALUE, Result, limited};
use crate::map::{Map, compare};

/// The number of a child. A node never gives a number to two children, so a path names one node for ever.
pub type Position = u64;
/// The positions from the root to a node. The root's is empty.
pub type NodePath = Vec<Position>;
/// The name of an attribute.
pub type Key = Arc<str>;
/// The value of an attribute.
pub type Value = Arc<[u8]>;

/// A node with all that is below it. A clone is one reference.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Node {
    inner: Arc<Inner>,
}

#[derive(Debug, Clone, PartialEq, Default)]
struct Inner {
    children: Map<Position, Node>,
    attributes: Map<Key, Value>,
    /// The position of the next child.
    next: Position,
    /// How many nodes are below this one.
    below: u64,
}

impl Node {
    /// A node with neither children nor attributes.
    #[must_use]
    pub fn new() -> Self {
        Node::default()
    }

    /// Whether both are the same memory. If not, they may still be equal.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// How many nodes there are, with this one.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.inner.below + 1
    }

    /// The position that the next child gets.
    #[must_use]
    pub fn next_position(&self) -> Position {
        self.inner.next
    }

    /// The node at a path.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn at(&self, path: &[Position]) -> Result<&Node> {
        let mut node = self;
        for (depth, position) in path.iter().enumerate() {
            let child = node.inner.children.get(position);
            node = child.ok_or_else(|| Error::NoNode(path[..=depth].to_vec()))?;
        }
        Ok(node)
    }

    /// Adds a child with the next position.
    ///
    /// # Errors
    /// `NoNode`, or `TooLarge` if the path becomes too long.
    pub fn add_child_at(&self, path: &[Position]) -> Result<Node> {
        let position = self.at(path)?.inner.next;
        self.put_child_at(path, position, Node::new())
    }

    /// Sets a child with all that is below it. The next positions are larger.
    ///
    /// # Errors
    /// As of [`Node::add_child_at`].
    pub fn put_child_at(&self, path: &[Position], position: Position, child: Node) -> Result<Node> {
        limited("path", path.len() + 1, MAX_DEPTH)?;
        limited("position", usize::from(position == Position::MAX), 0)?;
        self.edited(path, |node| {
            node.next = node.next.max(position + 1);
            node.children.insert(position, child);
        })
    }

    /// Removes a child with all that is below it.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn delete_child_at(&self, path: &[Position], position: Position) -> Result<Node> {
        let mut child = path.to_vec();
        child.push(position);
        self.at(&child)?;
        self.edited(path, |node| drop(node.children.remove(&position)))
    }

    /// Sets an attribute.
    ///
    /// # Errors
    /// `NoNode`, or `TooLarge`.
    pub fn put_attribute(
        &self,
        path: &[Position],
        key: &str,
        value: impl Into<Value>,
    ) -> Result<Node> {
        let value = value.into();
        limited("key", key.len(), MAX_KEY)?;
        limited("value", value.len(), MAX_VALUE)?;
        self.edited(path, |node| drop(node.attributes.insert(key.into(), value)))
    }

    /// Removes an attribute.
    ///
    /// # Errors
    /// `NoNode`, or `NoAttribute`.
    pub fn delete_attribute(&self, path: &[Position], key: &str) -> Result<Node> {
        let known = self.get_attributes(path, key)?;
        known.ok_or_else(|| Error::NoAttribute(key.to_owned()))?;
        self.edited(path, |node| drop(node.attributes.remove(&key.into())))
    }

    /// Positions below `next` are not given to children any more.
    pub(crate) fn reserve(&self, path: &[Position], next: Position) -> Result<Node> {
        self.edited(path, |node| node.next = node.next.max(next))
    }

    /// The value of an attribute.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn get_attributes(&self, path: &[Position], key: &str) -> Result<Option<Value>> {
        Ok(self.at(path)?.inner.attributes.get(&key.into()).cloned())
    }

    /// All children, in the order of their positions.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn get_children(&self, path: &[Position]) -> Result<Vec<Node>> {
        let children = self.at(path)?.inner.children.iter();
        Ok(children.map(|(_, child)| child.clone()).collect())
    }

    /// All children with their positions.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn assoc_children(&self, path: &[Position]) -> Result<Vec<(Position, Node)>> {
        Ok(self
            .at(path)?
            .children_from(0)
            .map(|(at, node)| (at, node.clone()))
            .collect())
    }

    /// All attributes, in the order of their keys.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn assoc_attribute(&self, path: &[Position]) -> Result<Vec<(Key, Value)>> {
        let attributes = self.at(path)?.attributes();
        Ok(attributes
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect())
    }

    /// How many children there are.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn num_of_child(&self, path: &[Position]) -> Result<usize> {
        Ok(self.at(path)?.inner.children.len())
    }

    /// The newest child.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn current_child(&self, path: &[Position]) -> Result<Option<Node>> {
        let newest = self.at(path)?.children_back().next();
        Ok(newest.map(|(_, child)| child.clone()))
    }

    /// The children from a position on, for pages.
    pub fn children_from(&self, from: Position) -> impl Iterator<Item = (Position, &Node)> {
        self.inner
            .children
            .range(&from)
            .map(|(position, node)| (*position, node))
    }

    /// The children, the newest one first.
    pub fn children_back(&self) -> impl Iterator<Item = (Position, &Node)> {
        self.inner
            .children
            .iter_back()
            .map(|(position, node)| (*position, node))
    }

    /// The attributes.
    pub fn attributes(&self) -> impl Iterator<Item = (&Key, &Value)> {
        self.inner.attributes.iter()
    }

    /// What differs between the attributes, and between the children, of two nodes.
    pub(crate) fn compare<'n>(
        &'n self,
        after: &'n Node,
        attribute: &mut dyn FnMut(crate::map::Difference<'n, Key, Value>),
        child: &mut dyn FnMut(crate::map::Difference<'n, Position, Node>),
    ) {
        compare(&self.inner.attributes, &after.inner.attributes, attribute);
        compare(&self.inner.children, &after.inner.children, child);
    }

    /// Copies the nodes on the path, and edits the last copy.
    fn edited(&self, path: &[Position], edit: impl FnOnce(&mut Inner)) -> Result<Node> {
        self.at(path)?;
        let mut root = self.clone();
        root.edit(path, edit);
        Ok(root)
    }

    /// Returns by how much the number of nodes below has changed.
    fn edit(&mut self, path: &[Position], edit: impl FnOnce(&mut Inner)) -> i64 {
        let inner = Arc::make_mut(&mut self.inner);
        let (before, children) = (inner.below, inner.children.clone());
        match path.split_first() {
            Some((first, rest)) => {
                drop(children);
                let child = inner.children.get_mut(first);
                let more = child.map_or(0, |child| child.edit(rest, edit));
                inner.below = inner.below.wrapping_add_signed(more);
            }
            None => {
                edit(inner);
                if !inner.children.is_same(&children) {
                    inner.count(&children);
                }
            }
        }
        inner.below.wrapping_sub(before).cast_signed()
    }
}

impl Inner {
    fn count(&mut self, before: &Map<Position, Node>) {
        use crate::map::Difference::{Added, Both, Removed};
        let below = &mut self.below;
        compare(before, &self.children, &mut |difference| {
            *below = match difference {
                Removed(_, old) => below.wrapping_sub(old.size()),
                Added(_, new) => below.wrapping_add(new.size()),
                Both(_, old, new) => below.wrapping_add(new.size()).wrapping_sub(old.size()),
            };
        });
    }
}
