//! `identifier()`

use crate::term::types::{Pid, Port, Reference};
use crate::term::{DecodeError, FromTerm, Heap, Shape, TermKind, ToTerm, View};

/// The identifier of a process, port or reference.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Identifier {
    /// A process
    Pid(Pid),
    /// A port
    Port(Port),
    /// A unique reference
    Reference(Reference),
}

impl From<Pid> for Identifier {
    fn from(pid: Pid) -> Self {
        Identifier::Pid(pid)
    }
}

impl From<Port> for Identifier {
    fn from(port: Port) -> Self {
        Identifier::Port(port)
    }
}

impl From<Reference> for Identifier {
    fn from(reference: Reference) -> Self {
        Identifier::Reference(reference)
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for Identifier {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        match self {
            Identifier::Pid(pid) => heap.pid(pid),
            Identifier::Port(port) => heap.port(port),
            Identifier::Reference(reference) => heap.reference(reference),
        }
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for Identifier {
    const KIND: Shape = Shape::Union(&[Shape::Pids, Shape::Ports, Shape::References]);

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        match view.kind() {
            TermKind::Pid => Pid::from_term(view).map(Identifier::Pid),
            TermKind::Port => Port::from_term(view).map(Identifier::Port),
            TermKind::Reference => Reference::from_term(view).map(Identifier::Reference),
            _ => Err(DecodeError::expected::<Self, V>(view)),
        }
    }
}
