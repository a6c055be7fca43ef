//! Messages about groups: `pg:monitor/2`, `pg:monitor_scope/1`.

use crate::{Pid, Reference, Term};

/// `{Monitor, join | leave, Group, Members}`: processes have joined a group that is
/// [monitored](crate::pg::Group::monitor), or left it. Who has ended, or whose node is lost, has
/// left. `Name` is the type of the group's name.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(tuple)]
pub struct GroupChange<Name = Term> {
    /// The monitor.
    pub monitor: Reference,
    /// What they have done.
    pub change: Membership,
    /// The group's name.
    pub group: Name,
    /// Who it was. A process that has joined several times is named as often.
    pub members: Vec<Pid>,
}

/// What processes have done with a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Term)]
pub enum Membership {
    /// `join`
    Join,
    /// `leave`
    Leave,
}
