//! Names that processes register under.

use crate::runtime::Module;
use crate::{Atom, Term, ToTerm};

/// A name that a process registers under when it starts. An [`Atom`](struct@crate::Atom) is a name on
/// this node.
///
/// | name | Erlang |
/// |---|---|
/// | `Name::local(atom!("desk"))`, `atom!("desk")` | `{local, desk}` |
/// | `Name::of::<Desk>()` | `{local, desk}` if that is the module of `Desk` |
/// | `Name::global("desk")` | `{global, <<"desk">>}` |
/// | `Name::via(atom!("gproc"), ("desk", 7))` | `{via, gproc, {<<"desk">>, 7}}` |
#[derive(Debug, Clone, PartialEq, crate::Term)]
pub enum Name {
    /// `{local, Name}`: on its node.
    Local(Atom),
    /// `{global, Name}`: in the cluster, by the module `global`.
    Global(Term),
    /// `{via, Module, Name}`: in a registry of one's own. `Module` has the functions of `global`.
    Via(Atom, Term),
}

impl Name {
    /// `{local, Name}`
    #[must_use]
    pub fn local(name: impl Into<Atom>) -> Self {
        Name::Local(name.into())
    }

    /// `{local, Module}`: the name of the module of `T`, by which [`Server::registered`](crate::gen_server::Server::registered)
    /// refers to it.
    #[must_use]
    pub fn of<T: Module>() -> Self {
        Name::Local(T::atom())
    }

    /// `{global, Name}`
    #[must_use]
    pub fn global(name: impl ToTerm) -> Self {
        Name::Global(Term::of(&name))
    }

    /// `{via, Module, Name}`
    #[must_use]
    pub fn via(module: impl Into<Atom>, name: impl ToTerm) -> Self {
        Name::Via(module.into(), Term::of(&name))
    }
}

impl<A: Into<Atom>> From<A> for Name {
    fn from(name: A) -> Self {
        Name::Local(name.into())
    }
}
