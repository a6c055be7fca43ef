//! `port()`

use std::fmt;
use std::sync::Arc;

use crate::term::types::Atom;

/// A port identifier.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Port(Arc<PortParts>);

/// The parts of a port identifier in the external term format (`V4_PORT_EXT`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PortParts {
    /// The port's node.
    pub node: Atom,
    /// The `B` of `#Port<A.B>`.
    pub id: u64,
    /// The number of the node's run.
    pub creation: u32,
}

impl Port {
    /// Returns the identifier with these parts.
    pub fn from_parts(parts: PortParts) -> Port {
        Port(Arc::new(parts))
    }

    /// Returns the parts.
    pub fn parts(&self) -> &PortParts {
        &self.0
    }
}

impl Ord for Port {
    /// The order is Erlang's.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let key = |port: &Self| (port.0.id, port.0.creation);
        self.0
            .node
            .cmp(&other.0.node)
            .then_with(|| key(self).cmp(&key(other)))
    }
}

impl PartialOrd for Port {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Port {
    /// `#Port<shop@host.6>`
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "#Port<{}.{}>", self.0.node.text(), self.0.id)
    }
}
