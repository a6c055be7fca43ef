//! Local edits: turning a client's request into an operation.

use std::sync::Arc;

use super::Replica;
use crate::batch::{Batch, known};
use crate::error::EditError;
use crate::operation::{Edit, NodeId, Operation, Request, Stamp, Versions, Where};
use crate::position::Position;
use crate::{MAX_DEPTH, MAX_KEY, MAX_VALUE, ROOT, TRASH};

type Result<T> = std::result::Result<T, EditError>;

impl Replica {
    /// Makes an edit. Returns the batch that the other replicas have to receive.
    ///
    /// # Errors
    /// The reason why the edit is impossible. Nothing has changed.
    pub fn edit(&mut self, request: &Request) -> Result<Batch> {
        let edit = self.check(request)?;
        let sequence = known(&self.versions, self.id) + 1;
        let operation = Operation {
            stamp: Stamp(self.clock + 1, self.id),
            sequence,
            seen: self.seen(),
            edit,
        };
        let base = self.versions.clone();
        let mut upto = base.clone();
        upto.insert(self.id, sequence);
        let batch = Batch {
            base,
            upto,
            operations: vec![operation],
        };
        // The operations that follow have seen no further operations of other replicas.
        let seen = self.seen.take();
        self.apply(&batch);
        self.seen = seen;
        Ok(batch)
    }

    fn seen(&mut self) -> Arc<Versions> {
        let (versions, id) = (&self.versions, self.id);
        let others = || {
            let mut others = versions.clone();
            others.remove(&id);
            Arc::new(others)
        };
        self.seen.get_or_insert_with(others).clone()
    }

    fn check(&self, request: &Request) -> Result<Edit> {
        Ok(match request {
            Request::Create(parent, at) => {
                self.has_room(*parent)?;
                Edit::Create(*parent, self.position(*parent, None, at)?)
            }
            Request::Move(node, parent, at) => {
                self.movable(*node)?;
                self.has_room(*parent)?;
                if self.is_at_or_below(*parent, *node) {
                    return Err(EditError::Cycle(*node));
                }
                Edit::Move(*node, *parent, self.position(*parent, Some(*node), at)?)
            }
            Request::Delete(node) => {
                self.movable(*node)?;
                Edit::Delete(*node)
            }
            Request::Put(node, key, value) => {
                self.live(*node)?;
                limited("key", key.len(), MAX_KEY)?;
                limited("value", value.len(), MAX_VALUE)?;
                Edit::Put(*node, key.clone(), value.clone())
            }
            Request::Index(key) => {
                limited("key", key.len(), MAX_KEY)?;
                Edit::Put(TRASH, key.clone(), bytes::Bytes::new())
            }
            Request::DropIndex(key) if !self.indexed().contains(key) => {
                return Err(EditError::NotIndexed(key.clone()));
            }
            Request::DropIndex(key) => Edit::Remove(TRASH, key.clone()),
            Request::Remove(node, key) => {
                self.live(*node)?;
                if self.attribute(*node, key)?.is_none() {
                    return Err(EditError::NoAttribute(key.clone()));
                }
                Edit::Remove(*node, key.clone())
            }
        })
    }

    fn movable(&self, node: NodeId) -> Result<()> {
        if node == ROOT {
            return Err(EditError::Root);
        }
        self.live(node)
    }

    /// Checks that the node exists and is not deleted.
    pub(super) fn live(&self, node: NodeId) -> Result<()> {
        if self.is_at_or_below(node, ROOT) {
            return Ok(());
        }
        Err(EditError::NoNode(node))
    }

    /// Checks that the node may have children at its depth.
    fn has_room(&self, parent: NodeId) -> Result<()> {
        let depth = self.depth(parent).ok_or(EditError::NoNode(parent))?;
        limited("path", depth + 1, MAX_DEPTH)
    }

    /// Returns a position among the children of a node; `moved` is the node that moves there, if
    /// any.
    fn position(&self, parent: NodeId, moved: Option<NodeId>, at: &Where) -> Result<Position> {
        let children = || {
            let all = self.nodes.get(&parent).into_iter();
            let all = all.flat_map(|node| &node.children);
            all.filter(|(_, node)| Some(*node) != moved)
                .map(|(position, _)| position)
        };
        let sibling = |node: &NodeId| {
            let place = self.location(*node).filter(|place| place.parent == parent);
            place
                .map(|place| &place.position)
                .filter(|_| Some(*node) != moved)
                .ok_or(EditError::NoSibling(*node))
        };
        let position = match at {
            Where::First => Position::between(None, children().next()),
            Where::Last => Position::between(children().last(), None),
            Where::Before(node) => {
                let high = sibling(node)?;
                let low = children().take_while(|position| *position < high).last();
                Position::between(low, Some(high))
            }
            Where::After(node) => {
                let low = sibling(node)?;
                let high = children().find(|position| *position > low);
                Position::between(Some(low), high)
            }
        };
        limited(
            "position",
            position.fraction.len(),
            crate::position::MAX_FRACTION,
        )?;
        Ok(position)
    }
}

fn limited(what: &str, size: usize, limit: usize) -> Result<()> {
    if size > limit {
        return Err(EditError::TooLarge(what.to_owned(), limit as u64));
    }
    Ok(())
}
