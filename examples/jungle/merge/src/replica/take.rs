//! Rejoining after a long absence. If the other replicas have folded moves that this one never
//! received, it takes over a snapshot of one of them, and repeats those of its own edits that the
//! snapshot lacks.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::fold::is_move;
use super::{Replica, batch_after, parts};
use crate::batch::{Batch, MAX_BATCH, join, known};
use crate::error::Malformed;
use crate::operation::{Edit, Operation, Stamp, Versions};

/// Maximum distance between the clocks of two replicas.
const MAX_AHEAD: u64 = 1 << 40;

/// Result of taking a snapshot.
#[must_use = "the replica is what it was, and its edits are not in the snapshot"]
#[derive(Debug)]
pub struct Taken {
    /// The snapshot, followed by the edits that it lacked.
    pub replica: Replica,
    /// These edits as batches for the other replicas.
    pub after: Vec<Batch>,
    /// Old and new stamps of the repeated edits.
    pub renamed: Vec<(Stamp, Stamp)>,
}

/// Edits of one replica that have to be repeated under a new number, because it is unknown which
/// replicas have received them under the old one.
struct Again {
    id: u64,
    /// The edits' old sequence numbers, in order.
    sequences: Vec<u64>,
}

impl Replica {
    /// Takes a snapshot of another replica. Operations that this replica knows and the snapshot
    /// lacks are applied after it, and repeated as new operations where they arrive too late. Nodes
    /// keep their names, and a repeated edit keeps its record of what it had seen, so that
    /// overruled edits are still listed. `number` draws replica numbers that no other replica has.
    ///
    /// # Errors
    /// The bytes are not the snapshot of a replica.
    pub fn take(
        &self,
        snapshot: &[u8],
        mut number: impl FnMut() -> u64,
    ) -> Result<Taken, Malformed> {
        let mut replica = Replica::of_snapshot(self.id, snapshot)?;
        if replica.clock > self.clock.saturating_add(MAX_AHEAD) {
            return Err(Malformed("the clock of a snapshot cannot be".to_owned()));
        }
        let lacks = |it: &&Arc<Operation>| it.sequence > known(&replica.versions, it.stamp.1);
        let folded_moves = self.folded.moves.values().flatten();
        let all = self
            .operations()
            .chain(folded_moves.map(|it| &it.operation));
        let mut lacking: Vec<&Arc<Operation>> = all.filter(lacks).collect();
        lacking.sort_by_key(|operation| operation.stamp);
        let (kept, late) = self.parted(&replica, lacking);
        let mut after = Vec::new();
        for part in parts(&kept) {
            let batch = batch_after(&replica.versions, part);
            replica.apply(&batch);
            after.push(batch);
        }
        let mut again: BTreeMap<u64, Again> = BTreeMap::new();
        for operation in &late {
            let of = again.entry(operation.stamp.1).or_insert_with(|| Again {
                id: number(),
                sequences: Vec::new(),
            });
            of.sequences.push(operation.sequence);
        }
        // This replica keeps its number only if no other replica knows more of its operations.
        if known(&self.versions, self.id) > known(&replica.versions, self.id) {
            replica.id = again.get(&self.id).map_or_else(number, |own| own.id);
        }
        let base = replica.versions.clone();
        let start = replica.clock.max(self.clock);
        let made = late.iter().zip(start + 1..).map(|(operation, time)| {
            let made = renewed(operation, time, &again, &base);
            (operation.stamp, made)
        });
        let made: Vec<(Stamp, Operation)> = made.collect();
        let renamed = made.iter().map(|(old, made)| (*old, made.stamp)).collect();
        let made: Vec<Operation> = made.into_iter().map(|(_, made)| made).collect();
        after.extend(replica.make_again(&made));
        Ok(Taken {
            replica,
            after,
            renamed,
        })
    }

    /// Divides operations, which are in the order of their stamps, into those that can follow a
    /// snapshot as they are, and those that have to be repeated: moves that arrive too late for it,
    /// operations that this replica has folded and the snapshot lacks (not all of these are kept),
    /// and operations that build on either. No others are repeated, because an operation that the
    /// snapshot lacks may have reached other replicas while the snapshot was on its way. Repeating
    /// it would overrule the edits that these have based on it since.
    fn parted<'o>(
        &self,
        snapshot: &Replica,
        operations: Vec<&'o Arc<Operation>>,
    ) -> (Vec<&'o Arc<Operation>>, Vec<&'o Arc<Operation>>) {
        let horizon = snapshot.horizon();
        let folded = self.folded.versions.iter();
        // The first operation of each replica that cannot follow the snapshot as it is.
        let mut first: Versions = folded
            .map(|(of, count)| (*of, *count, known(&snapshot.versions, *of)))
            .filter(|(_, count, taken)| count > taken)
            .map(|(of, _, taken)| (of, taken + 1))
            .collect();
        operations.into_iter().partition(|operation| {
            let own = (&operation.stamp.1, &operation.sequence);
            let mut before = operation.seen.iter().chain([own]);
            let is_late = is_move(operation) && operation.stamp <= horizon
                || before.any(|(of, count)| first.get(of).is_some_and(|first| first <= count));
            if is_late {
                first.entry(*own.0).or_insert(*own.1);
            }
            !is_late
        })
    }

    /// Applies operations that no other replica has. Returns them in batches.
    fn make_again(&mut self, made: &[Operation]) -> Vec<Batch> {
        let batches = made.chunks(MAX_BATCH).map(|part| {
            let base = self.versions.clone();
            let mut upto = base.clone();
            for operation in part {
                join(&mut upto, &[(operation.stamp.1, operation.sequence)].into());
            }
            let batch = Batch {
                base,
                upto,
                operations: part.to_vec(),
            };
            self.apply(&batch);
            batch
        });
        batches.collect()
    }
}

/// Returns the operation as it is repeated, with a new stamp.
fn renewed(
    operation: &Operation,
    time: u64,
    again: &BTreeMap<u64, Again>,
    base: &Versions,
) -> Operation {
    let replica = operation.stamp.1;
    let mut seen = Versions::new();
    // A repeated operation has seen everything that its own replica made before it.
    let own = (replica, operation.sequence - 1);
    let others = operation.seen.iter().map(|(of, count)| (*of, *count));
    for (of, count) in others.chain([own]) {
        let counted = count.min(known(base, of));
        if counted > 0 {
            join(&mut seen, &[(of, counted)].into());
        }
        if let Some(it) = again.get(&of).filter(|_| of != replica) {
            let made = it.sequences.partition_point(|sequence| *sequence <= count);
            if made > 0 {
                join(&mut seen, &[(it.id, made as u64)].into());
            }
        }
    }
    let (id, sequence) = again.get(&replica).map_or((replica, 0), |own| {
        let before = own.sequences.partition_point(|it| *it < operation.sequence);
        (own.id, before as u64 + 1)
    });
    let edit = match &operation.edit {
        // The node already has its name, so the repeated creation becomes a move.
        Edit::Create(parent, position) => Edit::Move(operation.stamp, *parent, position.clone()),
        edit => edit.clone(),
    };
    Operation {
        stamp: Stamp(time, id),
        sequence,
        seen: Arc::new(seen),
        edit,
    }
}
