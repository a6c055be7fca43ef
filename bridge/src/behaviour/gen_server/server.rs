//! References to servers.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::ServerRef;
use crate::registry::Module;
use crate::{Atom, DecodeError, ErlangType, FromTerm, Heap, Pid, Term, ToTerm, View};

/// A reference to a server of type `T`: it takes only what `T` has a clause for.
pub struct Server<T> {
    /// Behind a pointer, so that a state with references is not much to move.
    target: Arc<ServerRef>,
    module: PhantomData<fn(T)>,
}

impl<T> Server<T> {
    /// The server registered under this name on this node: `{local, Name}`.
    #[must_use]
    pub fn local(name: impl Into<Atom>) -> Self {
        Self::at(ServerRef::LocalName(name.into()))
    }

    /// The server registered under this name in the cluster: `{global, Name}`.
    #[must_use]
    pub fn global(name: impl ToTerm) -> Self {
        Self::at(ServerRef::Global(Term::of(&name)))
    }

    /// The server registered under this name on another node: `{Name, Node}`.
    #[must_use]
    pub fn on_node(name: impl Into<Atom>, node: impl Into<Atom>) -> Self {
        Self::at(ServerRef::Tuple(name.into(), node.into()))
    }

    fn at(target: ServerRef) -> Self {
        Self::shared(Arc::new(target))
    }

    fn shared(target: Arc<ServerRef>) -> Self {
        Server {
            target,
            module: PhantomData,
        }
    }

    /// The reference without the type.
    #[must_use]
    pub fn target(&self) -> &ServerRef {
        &self.target
    }

    pub(crate) fn to_shared(&self) -> Arc<ServerRef> {
        Arc::clone(&self.target)
    }
}

impl<T: Module> Server<T> {
    /// The server registered under the name of its module.
    #[must_use]
    pub fn registered() -> Self {
        Self::local(T::atom())
    }
}

/// Whoever names the type vouches for it, as Erlang code that sends to a pid does.
impl<T> std::convert::From<Pid> for Server<T> {
    fn from(pid: Pid) -> Self {
        Self::at(ServerRef::Pid(pid))
    }
}

impl<T> Clone for Server<T> {
    fn clone(&self) -> Self {
        Self::shared(self.to_shared())
    }
}

impl<T> PartialEq for Server<T> {
    fn eq(&self, other: &Self) -> bool {
        self.target == other.target
    }
}

impl<T> fmt::Debug for Server<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Server({})", Term::of(self.target()))
    }
}

impl<T> ErlangType for Server<T> {
    fn erlang_type() -> String {
        "gen_server:server_ref()".to_owned()
    }
}

impl<T> ToTerm for Server<T> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        self.target.to_term(heap)
    }
}

impl<T> FromTerm for Server<T> {
    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        ServerRef::from_term(view).map(Self::at)
    }
}
