//! `pid()`

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};

use crate::term::types::Atom;

/// A process identifier.
///
/// Inside the VM, a process of its own node is one word, which is cheap to copy and compare. Every
/// other identifier has [`PidParts`]. The two are never equal: an identifier that was read from
/// bytes becomes one word when it passes through the VM as a term.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Pid(Identity);

#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Identity {
    /// The VM's own word for a process of this node.
    Local(NonZeroUsize),
    External(Arc<PidParts>),
}

/// The parts of a process identifier in the external term format (`NEW_PID_EXT`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PidParts {
    /// The process's node.
    pub node: Atom,
    /// The `B` of `<A.B.C>`.
    pub id: u32,
    /// The `C` of `<A.B.C>`.
    pub serial: u32,
    /// The number of the node's run.
    pub creation: u32,
}

/// Asks the VM for the parts of a local process's identifier. It is set when a VM loads the
/// library.
static ASK_VM: OnceLock<fn(NonZeroUsize) -> PidParts> = OnceLock::new();

/// Sets the function that asks the VM for the parts of a local process's identifier.
pub(crate) fn ask_vm_by(ask: fn(NonZeroUsize) -> PidParts) {
    // Every load of the library passes the same function.
    let _ = ASK_VM.set(ask);
}

impl Pid {
    /// Returns the identifier with these parts. Tests without a VM create their identifiers with
    /// it.
    pub fn from_parts(parts: PidParts) -> Pid {
        Pid(Identity::External(Arc::new(parts)))
    }

    /// Returns a process of this node from the VM's word for the process.
    pub(crate) fn local(word: NonZeroUsize) -> Pid {
        Pid(Identity::Local(word))
    }

    pub(crate) fn identity(&self) -> &Identity {
        &self.0
    }

    /// Returns the parts. For a process of its own node, they are requested from the VM.
    pub fn parts(&self) -> Arc<PidParts> {
        match &self.0 {
            Identity::Local(word) => {
                let ask = ASK_VM.get().expect("a VM gave the word, so there is a VM");
                Arc::new(ask(*word))
            }
            Identity::External(parts) => Arc::clone(parts),
        }
    }
}

impl Ord for Pid {
    /// The order is Erlang's. If two identifiers are equal and one is local, the local one comes
    /// first.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        match (&self.0, &other.0) {
            (Identity::Local(left), Identity::Local(right)) if left == right => {
                std::cmp::Ordering::Equal
            }
            (left, right) => {
                let is_external = |pid: &Identity| matches!(pid, Identity::External(_));
                self.parts()
                    .erlang_cmp(&other.parts())
                    .then_with(|| is_external(left).cmp(&is_external(right)))
            }
        }
    }
}

impl PartialOrd for Pid {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PidParts {
    fn erlang_cmp(&self, other: &Self) -> std::cmp::Ordering {
        let key = |parts: &Self| (parts.serial, parts.id);
        let node = || {
            self.node
                .cmp(&other.node)
                .then(self.creation.cmp(&other.creation))
        };
        key(self).cmp(&key(other)).then_with(node)
    }
}

impl fmt::Display for Pid {
    /// `<0.85.0>` for a process of the VM's own node, otherwise with the node's name:
    /// `<shop@host.85.0>`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = self.parts();
        let PidParts {
            node, id, serial, ..
        } = &*parts;
        match self.0 {
            Identity::Local(_) => write!(formatter, "<0.{id}.{serial}>"),
            Identity::External(_) => write!(formatter, "<{}.{id}.{serial}>", node.text()),
        }
    }
}
