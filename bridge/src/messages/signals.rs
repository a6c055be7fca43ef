//! Messages of monitors and links.

use crate::{Atom, Pid, Port, Reference, Term};

/// `{'DOWN', Monitor, Kind, Object, Reason}`: a process or a port that was monitored has ended.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(record, tag = "DOWN")]
pub struct Down<Reason = Term> {
    /// The monitor. It ends with this message.
    pub monitor: Reference,
    /// Whether it was a process or a port.
    pub kind: MonitoredKind,
    /// The monitored process or port, by the name that was used to monitor it.
    pub object: Monitored,
    /// The reason why it has ended. `noproc` if it did not exist, `noconnection` if its node is not
    /// connected any more.
    pub reason: Reason,
}

/// The kind of a monitored object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Term)]
pub enum MonitoredKind {
    /// `process`
    Process,
    /// `port`
    Port,
}

/// A monitored object.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Term)]
pub enum Monitored {
    /// A process
    #[term(untagged)]
    Pid(Pid),
    /// `{Name, Node}`: a process or port that was monitored by its registered name.
    #[term(tuple)]
    Name(Atom, Atom),
    /// A port
    #[term(untagged)]
    Port(Port),
}

impl PartialEq<Pid> for Monitored {
    fn eq(&self, pid: &Pid) -> bool {
        matches!(self, Monitored::Pid(own) if own == pid)
    }
}

/// `{'EXIT', From, Reason}`: a linked process or port has ended, or a process has called
/// `exit(Pid, Reason)`. It arrives as a message if the process traps exits.
///
/// A `gen_server` ends by itself, through `terminate`, if `From` is its parent.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(record, tag = "EXIT")]
pub struct ExitSignal<Reason = Term> {
    /// The process or port that has ended.
    pub from: Linked,
    /// The reason.
    pub reason: Reason,
}

/// A process or port that a process can be linked to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Term)]
pub enum Linked {
    /// A process
    #[term(untagged)]
    Pid(Pid),
    /// A port
    #[term(untagged)]
    Port(Port),
}

impl PartialEq<Pid> for Linked {
    fn eq(&self, pid: &Pid) -> bool {
        matches!(self, Linked::Pid(own) if own == pid)
    }
}

impl PartialEq<Port> for Linked {
    fn eq(&self, port: &Port) -> bool {
        matches!(self, Linked::Port(own) if own == port)
    }
}

/// `{gen_event_EXIT, Handler, Reason}`: an event handler that this process has added by
/// [`add_sup_handler`](crate::gen_event::ManagerRequests::add_sup_handler) was removed.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(record, tag = "gen_event_EXIT")]
pub struct HandlerRemoved<Reason = Term> {
    /// The handler's module, or `{Module, Id}`.
    pub handler: Term,
    /// The reason: `normal`, `shutdown`, `{swapped, NewHandler, Pid}`, or the handler's error.
    pub reason: Reason,
}
