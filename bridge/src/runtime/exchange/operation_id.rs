//! Identifiers of operations, in Rust and in Erlang.

/// Identifies an operation. No two operations of a process have the same identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OperationId(u64);

impl OperationId {
    const INDEX_BITS: u32 = 24;

    pub(super) fn new(count: u64, index: usize) -> Self {
        OperationId((count << Self::INDEX_BITS) | index as u64)
    }

    /// Returns how many operations the process had started before this one, plus one.
    pub(super) fn count(self) -> u64 {
        self.0 >> Self::INDEX_BITS
    }

    pub(super) fn index(self) -> usize {
        (self.0 & ((1 << Self::INDEX_BITS) - 1)) as usize
    }

    pub(crate) fn number(self) -> u64 {
        self.0
    }

    pub(crate) fn from_number(number: u64) -> Self {
        OperationId(number)
    }
}
