//! Batches: the messages in which replicas exchange operations.

use otp_bridge::Term;

use crate::error::Malformed;
use crate::operation::{Edit, Operation, Versions};
use crate::position::MAX_FRACTION;
use crate::{MAX_KEY, MAX_VALUE, ROOT, TRASH};

/// Maximum number of operations in a batch.
pub const MAX_BATCH: usize = 4096;
/// Approximate maximum size, in bytes, of a batch in which a replica forwards operations.
pub(crate) const MAX_BATCH_BYTES: usize = 256 << 10;
/// Maximum distance between the time of a received operation and the replica's own clock.
const MAX_AHEAD: u64 = 1 << 40;

/// Operations in the order of their stamps: `{batch, Base, UpTo, Operations}`. A replica that knows
/// everything up to `Base` knows everything up to `UpTo` after receiving the batch. The batch may
/// leave out a write if a later write, made with knowledge of it, has overwritten it.
#[must_use = "other replicas have to receive it"]
#[derive(Debug, Clone, PartialEq, Eq, Term)]
#[term(record)]
pub struct Batch {
    /// The versions that the receiver has to know before it can apply the batch.
    pub base: Versions,
    /// The versions that the receiver knows afterwards.
    pub upto: Versions,
    /// The operations.
    pub operations: Vec<Operation>,
}

/// Returns how many operations of a replica are known.
pub(crate) fn known(versions: &Versions, replica: u64) -> u64 {
    versions.get(&replica).copied().unwrap_or(0)
}

/// Returns whether `versions` includes everything in `other`.
pub(crate) fn includes(versions: &Versions, other: &Versions) -> bool {
    other
        .iter()
        .all(|(replica, count)| known(versions, *replica) >= *count)
}

/// Adds everything in `other` to `versions`.
pub(crate) fn join(versions: &mut Versions, other: &Versions) {
    for (replica, count) in other {
        let own = versions.entry(*replica).or_default();
        *own = (*own).max(*count);
    }
}

impl Batch {
    /// Checks that a replica with this clock can use the batch.
    pub(crate) fn check(&self, clock: u64) -> Result<(), Malformed> {
        let wrong = |what: &str| Err(Malformed(what.to_owned()));
        if self.operations.len() > MAX_BATCH {
            return wrong("a batch has more operations than are allowed");
        }
        if !includes(&self.upto, &self.base) {
            return wrong("a batch ends before it begins");
        }
        let ordered = self.operations.windows(2);
        if !ordered
            .into_iter()
            .all(|pair| pair[0].stamp < pair[1].stamp)
        {
            return wrong("the operations of a batch are not in their order");
        }
        let mut counts = Versions::new();
        for operation in &self.operations {
            let replica = operation.stamp.1;
            let last = counts.insert(replica, operation.sequence);
            if operation.sequence <= last.unwrap_or(0) {
                return wrong("the operations of a replica are not in their order");
            }
            operation.check(clock)?;
        }
        if !includes(&self.upto, &counts) {
            return wrong("a batch has operations beyond its end");
        }
        Ok(())
    }
}

impl Operation {
    pub(crate) fn check(&self, clock: u64) -> Result<(), Malformed> {
        let wrong = |what: &str| Err(Malformed(format!("operation {}: {what}", self.stamp)));
        let time = self.stamp.0;
        if time == 0 || time > clock.saturating_add(MAX_AHEAD) {
            return wrong("its time cannot be");
        }
        match &self.edit {
            Edit::Create(parent, _) if *parent >= self.stamp => wrong("it is before its parent"),
            Edit::Create(_, position) | Edit::Move(_, _, position) if !position.is_valid() => {
                wrong(&format!(
                    "its position is not one of up to {MAX_FRACTION} digits"
                ))
            }
            Edit::Move(ROOT | TRASH, ..) | Edit::Delete(ROOT | TRASH) => wrong("it moves the root"),
            Edit::Put(_, key, _) | Edit::Remove(_, key) if key.len() > MAX_KEY => {
                wrong("its key is too long")
            }
            Edit::Put(_, _, value) if value.len() > MAX_VALUE => wrong("its value is too long"),
            _ => Ok(()),
        }
    }
}
