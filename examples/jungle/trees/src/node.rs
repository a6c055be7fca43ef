//! Nodes of a tree. They are immutable: an edit returns a new node, and shares unchanged parts with
//! the old one.

pub(crate) mod rebase;

use std::sync::Arc;

use crate::error::{Error, MAX_DEPTH, MAX_KEY, MAX_POSITION, MAX_VALUE, Result, limited};
use crate::map::range::Entries;
use crate::map::{Map, compare};

/// Number of a child. A node never assigns a number twice, so a path always names one node.
pub type Position = u64;
/// The positions from the root to a node. The root's is empty.
pub type NodePath = Vec<Position>;
/// The name of an attribute.
pub type Key = Arc<str>;
/// The value of an attribute.
pub type Value = Arc<[u8]>;

/// A node with everything below it. Cloning it copies one reference.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Node {
    inner: Arc<Inner>,
}

#[derive(Debug, Clone, Default)]
struct Inner {
    children: Map<Position, Node>,
    attributes: Map<Key, Value>,
    /// The position of the next child.
    next: Position,
    /// Number of nodes below this one.
    below: u64,
    /// Upper bound of the levels below this one. Deleting nodes does not lower it.
    height: usize,
    /// Upper bound of `next` in this node and all nodes that are or were below it.
    highest: Position,
    /// The node's name where it is kept, if it is only shown here.
    name: Option<Arc<(u64, u64)>>,
}

impl PartialEq for Inner {
    fn eq(&self, other: &Self) -> bool {
        (self.next, self.below) == (other.next, other.below)
            && self.attributes == other.attributes
            && self.children == other.children
    }
}

impl Node {
    /// Creates a node with neither children nor attributes.
    #[must_use]
    pub fn new() -> Self {
        Node::default()
    }

    /// Creates a node that shows a node of a tree kept elsewhere, where it has this name.
    #[must_use]
    pub fn named(name: (u64, u64)) -> Self {
        let name = Some(Arc::new(name));
        let inner = Inner {
            name,
            ..Inner::default()
        };
        Node {
            inner: Arc::new(inner),
        }
    }

    /// Returns the name where the node is kept.
    #[must_use]
    pub fn name(&self) -> Option<(u64, u64)> {
        self.inner.name.as_deref().copied()
    }

    /// Returns whether both nodes are the same memory. If not, they may still be equal.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// Returns whether there are other references to the node.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        Arc::strong_count(&self.inner) > 1
    }

    /// Returns the number of nodes at and below this one.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.inner.below + 1
    }

    /// Returns the position of the next child.
    #[must_use]
    pub fn next_position(&self) -> Position {
        self.inner.next
    }

    /// Returns an upper bound of the positions of all nodes that are or were below this one.
    pub(crate) fn highest(&self) -> Position {
        self.inner.highest
    }

    /// Returns the node at a path.
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
        let position = self.at(path)?.next_position();
        self.put_child_at(path, position, Node::new())
    }

    /// Sets a child with everything below it. Raises the next position above the child's.
    ///
    /// # Errors
    /// Those of [`Node::add_child_at`].
    pub fn put_child_at(&self, path: &[Position], position: Position, child: Node) -> Result<Node> {
        self.edited(|root| root.put_child(path, position, child))
    }

    /// Removes a child with everything below it.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn delete_child_at(&self, path: &[Position], position: Position) -> Result<Node> {
        self.edited(|root| root.delete_child(path, position))
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
        self.edited(|root| root.put(path, key.into(), value.into()))
    }

    /// Removes an attribute.
    ///
    /// # Errors
    /// `NoNode`, or `NoAttribute`.
    pub fn delete_attribute(&self, path: &[Position], key: &str) -> Result<Node> {
        self.edited(|root| root.remove(path, &key.into()))
    }

    /// Returns the value of an attribute.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn get_attributes(&self, path: &[Position], key: &str) -> Result<Option<&Value>> {
        Ok(self.at(path)?.inner.attributes.get(key))
    }

    /// Returns all children, in the order of their positions.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn get_children(&self, path: &[Position]) -> Result<Vec<&Node>> {
        let children = self.at(path)?.inner.children.iter();
        Ok(children.map(|(_, child)| child).collect())
    }

    /// Returns all children with their positions.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn assoc_children(&self, path: &[Position]) -> Result<Vec<(Position, &Node)>> {
        Ok(self.at(path)?.children_from(0).collect())
    }

    /// Returns all attributes, in the order of their keys.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn assoc_attribute(&self, path: &[Position]) -> Result<Vec<(&Key, &Value)>> {
        Ok(self.at(path)?.attributes().collect())
    }

    /// Returns the number of children.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn num_of_child(&self, path: &[Position]) -> Result<usize> {
        Ok(self.at(path)?.inner.children.len())
    }

    /// Returns the newest child.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn current_child(&self, path: &[Position]) -> Result<Option<&Node>> {
        let newest = self.at(path)?.children_back().next();
        Ok(newest.map(|(_, child)| child))
    }

    /// Iterates over the children, starting at a position.
    pub fn children_from(&self, from: Position) -> impl Iterator<Item = (Position, &Node)> {
        self.inner
            .children
            .range(&from)
            .map(|(position, node)| (*position, node))
    }

    pub(crate) fn entries_from(&self, from: Position) -> Entries<'_, Position, Node> {
        self.inner.children.range(&from)
    }

    /// Returns a child.
    #[must_use]
    pub fn child(&self, position: Position) -> Option<&Node> {
        self.inner.children.get(&position)
    }

    /// Returns the value of an attribute of this node.
    #[must_use]
    pub fn attribute(&self, key: &Key) -> Option<&Value> {
        self.inner.attributes.get(key)
    }

    /// Iterates over the children, the newest one first.
    pub fn children_back(&self) -> impl Iterator<Item = (Position, &Node)> {
        self.inner
            .children
            .iter_back()
            .map(|(position, node)| (*position, node))
    }

    /// Iterates over the attributes.
    pub fn attributes(&self) -> impl Iterator<Item = (&Key, &Value)> {
        self.inner.attributes.iter()
    }

    /// Reports the differences between the attributes, and between the children, of two nodes.
    pub(crate) fn compare<'n>(
        &'n self,
        after: &'n Node,
        attribute: &mut dyn FnMut(crate::map::Difference<'n, Key, Value>),
        child: &mut dyn FnMut(crate::map::Difference<'n, Position, Node>),
    ) {
        compare(&self.inner.attributes, &after.inner.attributes, attribute);
        compare(&self.inner.children, &after.inner.children, child);
    }

    /// Returns an edited copy: the nodes on the path are copied.
    fn edited(&self, edit: impl FnOnce(&mut Node) -> Result<()>) -> Result<Node> {
        let mut root = self.clone();
        edit(&mut root)?;
        Ok(root)
    }
}

/// Edits in place. They copy only nodes that are shared. An edit that fails leaves the node
/// unchanged.
impl Node {
    pub(crate) fn put_child(
        &mut self,
        path: &[Position],
        position: Position,
        child: Node,
    ) -> Result<()> {
        // This also limits the levels below the child, because functions that visit all levels need
        // stack for them.
        limited("path", path.len() + 1 + child.inner.height, MAX_DEPTH)?;
        if position > MAX_POSITION {
            return Err(Error::TooLarge("position".to_owned(), MAX_POSITION));
        }
        self.at(path)?;
        self.edit(path, |node| {
            node.next = node.next.max(position + 1);
            node.height = node.height.max(child.inner.height + 1);
            node.highest = node.highest.max(child.inner.highest);
            let new = child.size();
            let old = node.children.insert(position, child);
            new.wrapping_sub(old.map_or(0, |old| old.size()))
        });
        Ok(())
    }

    pub(crate) fn delete_child(&mut self, path: &[Position], position: Position) -> Result<()> {
        if self.at(path)?.inner.children.get(&position).is_none() {
            return Err(Error::NoNode([path, &[position]].concat()));
        }
        self.edit(path, |node| {
            let old = node.children.remove(&position);
            0_u64.wrapping_sub(old.map_or(0, |old| old.size()))
        });
        Ok(())
    }

    pub(crate) fn put(&mut self, path: &[Position], key: Key, value: Value) -> Result<()> {
        limited("key", key.len(), MAX_KEY)?;
        limited("value", value.len(), MAX_VALUE)?;
        self.at(path)?;
        self.edit(path, |node| {
            node.attributes.insert(key, value);
            0
        });
        Ok(())
    }

    pub(crate) fn remove(&mut self, path: &[Position], key: &Key) -> Result<()> {
        if self.at(path)?.inner.attributes.get(key).is_none() {
            return Err(Error::NoAttribute(key.to_string()));
        }
        self.edit(path, |node| {
            node.attributes.remove(key);
            0
        });
        Ok(())
    }

    /// Makes sure that positions below `next` are not assigned to children any more.
    pub(crate) fn reserve(&mut self, path: &[Position], next: Position) -> Result<()> {
        self.at(path)?;
        self.edit(path, |node| {
            node.next = node.next.max(next);
            0
        });
        Ok(())
    }

    /// Edits the node at a path. `edit` returns by how much the number of nodes below it changes.
    fn edit(&mut self, path: &[Position], edit: impl FnOnce(&mut Inner) -> u64) -> u64 {
        let inner = Arc::make_mut(&mut self.inner);
        let more = match path.split_first() {
            Some((first, rest)) => {
                let Some(child) = inner.children.get_mut(first) else {
                    return 0;
                };
                let more = child.edit(rest, edit);
                inner.height = inner.height.max(child.inner.height + 1);
                inner.highest = inner.highest.max(child.inner.highest);
                more
            }
            None => {
                let more = edit(inner);
                inner.highest = inner.highest.max(inner.next);
                more
            }
        };
        inner.below = inner.below.wrapping_add(more);
        more
    }
}
