//! Messages about groups: `pg:monitor/2`, `pg:monitor_scope/1`.

use crate::{Pid, Reference, Term};

/// `{Monitor, join | leave, Group, Members}`: processes have joined a group that is
/// [monitored](crate::pg::Group::monitor), or have left it. A process that has ended, or whose node
/// is lost, has left. `Name` is the type of the group's name.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(tuple)]
pub struct GroupChange<Name = Term> {
    /// The monitor.
    pub monitor: Reference,
    /// Whether they have joined or left.
    pub change: Membership,
    /// The group's name.
    pub group: Name,
    /// The processes. One that has joined several times is listed that many times.
    pub members: Vec<Pid>,
}

/// A change of a group's members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Term)]
pub enum Membership {
    /// `join`
    Join,
    /// `leave`
    Leave,
}
