//! Names that processes register under.

use super::Target;
use crate::runtime::NamedProcess;
use crate::term::quote_atom;
use crate::{Atom, Term, ToTerm};

/// A name that a process registers under when it starts. An [`Atom`](struct@crate::Atom) is a name
/// on this node.
///
/// | name | Erlang |
/// |---|---|
/// | `Name::local(atom!("desk"))`, `atom!("desk")` | `{local, desk}` |
/// | `Name::global("desk")` | `{global, <<"desk">>}` |
/// | `Name::via(atom!("gproc"), ("desk", 7))` | `{via, gproc, {<<"desk">>, 7}}` |
#[derive(Debug, Clone, PartialEq, crate::Term)]
pub enum Name {
    /// `{local, Name}`: on its node.
    Local(Atom),
    /// `{global, Name}`: in the cluster, by the module `global`.
    Global(Term),
    /// `{via, Module, Name}`: in a registry of your own. `Module` has the functions of `global`.
    Via(Atom, Term),
}

impl Name {
    /// `{local, Name}`
    #[must_use]
    pub fn local(name: impl Into<Atom>) -> Self {
        Name::Local(name.into())
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

/// A name under which a process can register: a [`Name`], an atom, or a reference by name, such as
/// a static [`Server`](crate::gen_server::Server).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a name that a process can register under",
    label = "not a name",
    note = "it is a `Name`, an `Atom`, or a static reference to the process: `&LEDGER`"
)]
pub trait RegisteredName {
    /// Returns the name.
    ///
    /// # Errors
    /// The reason why it is not a name.
    fn name(self) -> Result<Name, String>;

    /// Returns the module whose processes have the name, if the reference determines it.
    fn module(&self) -> Option<&'static Atom> {
        None
    }
}

#[diagnostic::do_not_recommend]
impl<N: Into<Name>> RegisteredName for N {
    fn name(self) -> Result<Name, String> {
        Ok(self.into())
    }
}

/// A static that names a process in a callback. The fallback [`NoProcess`] is for statics that do
/// not refer to a process.
#[doc(hidden)]
pub struct Named<T>(pub T);

impl<N: RegisteredName + Copy> Named<N> {
    /// Returns the process, if it has a name on its node and its module is known.
    pub fn process(self) -> Option<NamedProcess> {
        let module = self.0.module()?.text().to_owned();
        match self.0.name() {
            Ok(Name::Local(name)) => Some(NamedProcess {
                name: quote_atom(name.text()),
                module,
            }),
            _ => None,
        }
    }
}

/// The fallback of [`Named::process`] for all other types.
#[doc(hidden)]
pub trait NoProcess: Sized {
    /// Returns `None`.
    fn process(self) -> Option<NamedProcess> {
        None
    }
}

impl<T> NoProcess for Named<T> {}

impl Target<'_> {
    /// Returns the name under which a process of this node can register.
    pub(crate) fn name(self) -> Result<Name, String> {
        match self {
            Target::Name(name) => Ok(Name::Local(name.clone())),
            Target::Global(name) => Ok(Name::Global(name.clone())),
            Target::Via(module, name) => Ok(Name::Via(module.clone(), name.clone())),
            Target::Pid(_) | Target::OnNode(..) | Target::Alias(_) => Err(format!(
                "cannot be registered as `{}`, which is not a name of this node",
                Term::of(&self)
            )),
        }
    }
}
