//! The properties that a node checks without being asked.

use std::fmt;

/// A property that every program should have, and that this one has broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::testing) enum ViolationKind {
    /// A process has received a message that none of its clauses takes.
    NoClause,
    /// A process has dropped a caller.
    NoReply,
    /// A supervisor ends because its children end too often.
    GivesUp,
}

impl fmt::Display for ViolationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ViolationKind::NoClause => "has no clause for a message",
            ViolationKind::NoReply => "leaves a caller without a reply",
            ViolationKind::GivesUp => "gives up",
        })
    }
}

/// The first broken property of a schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::testing) struct Violation {
    pub(in crate::testing) kind: ViolationKind,
    /// The process, as the trace names it.
    pub(in crate::testing) process: String,
    pub(in crate::testing) text: String,
}
