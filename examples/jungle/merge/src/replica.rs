//! A replica: one copy of a replicated tree, with the operations that it has received.

mod edit;
mod fold;
mod moves;
mod read;
mod snapshot;
mod take;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::batch::{Batch, MAX_BATCH, MAX_BATCH_BYTES, includes, join, known};
use crate::error::Malformed;
use crate::operation::{Edit, NodeId, Operation, Stamp, Versions};
use crate::position::Position;
use fold::Folded;

pub(crate) use fold::FoldedMove;
pub use fold::Known;
pub use take::Taken;

/// Maximum number of batches that wait for earlier ones. Further batches are dropped, and their
/// sender has to send them again.
const MAX_WAITING: usize = 256;

/// A copy of a tree.
#[derive(Debug, Clone)]
pub struct Replica {
    /// The replica's number, unique among all copies.
    id: u64,
    /// The latest time that the replica knows.
    clock: u64,
    versions: Versions,
    /// `versions` of all other replicas, as operations contain it. `None` after a change, until the
    /// next operation.
    seen: Option<Arc<Versions>>,
    nodes: HashMap<NodeId, NodeState>,
    folded: Folded,
    /// All moves that are not folded, in the order of their stamps.
    moves: Vec<Moved>,
    waiting: Vec<Batch>,
    /// Nodes whose place or attributes may have changed.
    touched: HashSet<NodeId>,
}

/// Where a node is, and its attributes.
#[derive(Debug, Clone, Default)]
struct NodeState {
    place: Option<Location>,
    children: BTreeSet<(Position, NodeId)>,
    /// For each attribute, the writes that no other write has seen, by their stamps. The last one
    /// is the attribute's value; the others are overruled.
    attributes: BTreeMap<String, Vec<Arc<Operation>>>,
}

/// A node's place in the tree.
#[derive(Debug, Clone)]
struct Location {
    parent: NodeId,
    position: Position,
    /// The move that put the node here.
    by: Stamp,
}

/// A creation, move or deletion.
#[derive(Debug, Clone)]
pub(crate) struct Moved {
    pub(crate) operation: Arc<Operation>,
    /// The node's place before this move.
    before: Option<Location>,
    /// Whether the move has no effect because it would have made a cycle.
    pub(crate) is_cycle: bool,
}

/// Result of receiving a batch.
#[must_use = "a batch that has come too early or too late is not used"]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Received {
    /// The number of new operations, including those of waiting batches that this batch made
    /// usable.
    New(usize),
    /// The batch waits for earlier ones. Ask the sender for what is missing.
    Waiting,
    /// The batch has moves that come before folded ones. It was rejected: its sender has to take a
    /// snapshot.
    Late,
}

impl Replica {
    /// Creates an empty tree. The number must be unique among all replicas everywhere.
    #[must_use]
    pub fn new(id: u64) -> Self {
        Replica {
            id,
            clock: 0,
            versions: Versions::new(),
            seen: None,
            nodes: HashMap::new(),
            folded: Folded::default(),
            moves: Vec::new(),
            waiting: Vec::new(),
            touched: HashSet::new(),
        }
    }

    /// Returns how many operations of each replica this one knows.
    #[must_use]
    pub fn versions(&self) -> &Versions {
        &self.versions
    }

    /// Returns whether this replica knows everything that the other one knows.
    #[must_use]
    pub fn includes(&self, theirs: &Versions) -> bool {
        includes(&self.versions, theirs)
    }

    /// Applies a batch from another replica. Batches may arrive twice, and in any order.
    ///
    /// # Errors
    /// The batch is not one that a replica sends. Nothing was applied.
    pub fn receive(&mut self, batch: &Batch) -> Result<Received, Malformed> {
        batch.check(self.clock)?;
        if !includes(&self.versions, &batch.base) {
            if self.waiting.len() < MAX_WAITING && !self.waiting.contains(batch) {
                self.waiting.push(batch.clone());
            }
            return Ok(Received::Waiting);
        }
        if self.is_late(batch) {
            return Ok(Received::Late);
        }
        let mut count = self.apply(batch);
        while let Some(at) = self.next_waiting() {
            let next = self.waiting.swap_remove(at);
            if !self.is_late(&next) {
                count += self.apply(&next);
            }
        }
        Ok(Received::New(count))
    }

    fn next_waiting(&self) -> Option<usize> {
        let mut waiting = self.waiting.iter();
        waiting.position(|batch| includes(&self.versions, &batch.base))
    }

    /// Applies a batch whose base is known.
    fn apply(&mut self, batch: &Batch) -> usize {
        let is_new =
            |operation: &&Operation| operation.sequence > known(&self.versions, operation.stamp.1);
        let new: Vec<_> = batch.operations.iter().filter(is_new).collect();
        let count = new.len();
        let mut moves = Vec::new();
        for operation in new {
            self.clock = self.clock.max(operation.stamp.0);
            let operation = Arc::new(operation.clone());
            match &operation.edit {
                Edit::Create(..) | Edit::Move(..) | Edit::Delete(_) => moves.push(operation),
                Edit::Put(node, key, _) | Edit::Remove(node, key) => {
                    self.write(*node, key, &operation);
                }
            }
        }
        self.make_moves(moves);
        if !includes(&self.versions, &batch.upto) {
            join(&mut self.versions, &batch.upto);
            self.seen = None;
        }
        count
    }

    /// Keeps a write, and the writes that it has not seen. Writes that have seen this one come
    /// later, because their batches build on it.
    fn write(&mut self, node: NodeId, key: &str, operation: &Arc<Operation>) {
        self.touched.insert(node);
        let attributes = &mut self.nodes.entry(node).or_default().attributes;
        let writes = attributes.entry(key.to_owned()).or_default();
        writes.retain(|other| !operation.has_seen(other));
        let at = writes.partition_point(|other| other.stamp < operation.stamp);
        writes.insert(at, operation.clone());
    }

    /// Returns all operations that the replica keeps, except folded moves, in no particular order.
    fn operations(&self) -> impl Iterator<Item = &Arc<Operation>> {
        let writes = self
            .nodes
            .values()
            .flat_map(|node| node.attributes.values());
        let moves = self.moves.iter().map(|moved| &moved.operation);
        writes.flatten().chain(moves)
    }

    /// Returns batches with everything that another replica lacks, to be received in this order.
    /// The other replica has to know everything that is folded here; `theirs` is what it knows.
    #[must_use]
    pub fn missing(&self, theirs: &Versions) -> Vec<Batch> {
        self.missing_some(theirs, usize::MAX).0
    }

    /// Returns the first of these batches, up to `most` bytes but at least one, and whether there
    /// are more.
    #[must_use]
    pub fn missing_some(&self, theirs: &Versions, most: usize) -> (Vec<Batch>, bool) {
        if includes(theirs, &self.versions) {
            return (Vec::new(), false);
        }
        let lacks =
            |operation: &&Arc<Operation>| operation.sequence > known(theirs, operation.stamp.1);
        let mut lacking: Vec<_> = self.operations().filter(lacks).collect();
        lacking.sort_by_key(|operation| operation.stamp);
        let common = self.versions.iter();
        let mut base: Versions = common
            .map(|(replica, count)| (*replica, known(theirs, *replica).min(*count)))
            .collect();
        let (mut batches, mut bytes) = (Vec::new(), 0);
        for part in parts(&lacking) {
            bytes += part.iter().map(|it| it.size()).sum::<usize>();
            if bytes > most && !batches.is_empty() {
                return (batches, true);
            }
            let batch = batch_after(&base, part);
            base.clone_from(&batch.upto);
            batches.push(batch);
        }
        match batches.last_mut() {
            Some(last) => join(&mut last.upto, &self.versions),
            None => batches.push(Batch {
                base,
                upto: self.versions.clone(),
                operations: Vec::new(),
            }),
        }
        (batches, false)
    }
}

/// Builds a batch for a replica that knows everything these operations build on.
fn batch_after(base: &Versions, operations: &[&Arc<Operation>]) -> Batch {
    let mut upto = base.clone();
    for operation in operations {
        // Everything that an operation has seen has an earlier stamp, so it was sent before.
        join(&mut upto, &operation.seen);
        join(&mut upto, &[(operation.stamp.1, operation.sequence)].into());
    }
    let operations = operations
        .iter()
        .map(|operation| Operation::clone(operation));
    Batch {
        base: base.clone(),
        upto,
        operations: operations.collect(),
    }
}

/// Splits operations into batches of limited size, with at least one operation each.
fn parts<'o>(
    operations: &'o [&'o Arc<Operation>],
) -> impl Iterator<Item = &'o [&'o Arc<Operation>]> {
    let mut left = operations;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let fits = left.iter().take(MAX_BATCH).take_while(|operation| {
            bytes += operation.size();
            bytes <= MAX_BATCH_BYTES
        });
        let count = fits.count().max(1);
        (!left.is_empty()).then(|| left.split_off(..count.min(left.len())))?
    })
}

impl Replica {
    /// Makes the next edits as a replica with another number.
    pub fn renumber(&mut self, id: u64) {
        self.id = id;
        self.seen = None;
    }

    /// Returns the nodes whose place or attributes may have changed since the last call.
    pub fn take_touched(&mut self) -> HashSet<NodeId> {
        std::mem::take(&mut self.touched)
    }

    /// Returns the replica's number.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }
}
