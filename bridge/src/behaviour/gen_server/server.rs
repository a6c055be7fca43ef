//! References to servers.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::ServerRef;
use crate::process::{Destination, Name, RegisteredName, Target};
use crate::runtime::Module;
use crate::runtime::protocol::no_pid;
use crate::term::Shape;
use crate::{
    Atom, DecodeError, ErlangType, Exit, FromTerm, Heap, Pid, Result, Term, ToTerm, View, atoms,
};

/// A reference to a server of type `T`. It accepts only requests and messages that `T` has a clause
/// for.
///
/// Define the name of a process once, in a static, and let its supervisor register the process
/// under it:
///
/// ```
/// # use otp_bridge_novm as _;
/// # use otp_bridge::atoms::ok;
/// use otp_bridge::gen_server::prelude::*;
/// use otp_bridge::supervisor::ChildSpec;
///
/// # #[derive(Debug)]
/// # pub struct Ledger;
/// # #[gen_server]
/// # impl GenServer for Ledger {
/// #     type Args = u64;
/// #     fn init(_: u64) -> impl InitReturn<Self> {
/// #         (ok, Ledger)
/// #     }
/// # }
/// pub static LEDGER: Server<Ledger> = Server::registered();
///
/// let child = ChildSpec::of::<Ledger>(100).registered(&LEDGER);
/// ```
pub struct Server<T> {
    reference: Reference,
    module: PhantomData<fn(T)>,
}

#[derive(Clone)]
enum Reference {
    Pid(Pid),
    Name(Atom),
    /// The name of a module, as a function because a `const fn` cannot look it up.
    Module(fn() -> &'static Atom),
    /// The longer references, behind a pointer, so that a `Server` is small.
    Other(Arc<ServerRef>),
}

impl<T> Server<T> {
    /// Returns the server registered under this name on this node: `{local, Name}`.
    #[must_use]
    pub const fn local(name: Atom) -> Self {
        Self::at(Reference::Name(name))
    }

    /// Returns the server registered under this name in the cluster: `{global, Name}`.
    #[must_use]
    pub fn global(name: impl ToTerm) -> Self {
        ServerRef::Global(Term::of(&name)).into()
    }

    /// Returns the server registered under this name of the registry `module`:
    /// `{via, Module, Name}`.
    #[must_use]
    pub fn via(module: Atom, name: impl ToTerm) -> Self {
        ServerRef::from((atoms::via, module, name)).into()
    }

    /// Returns the server registered under this name on another node: `{Name, Node}`.
    #[must_use]
    pub fn on_node(name: impl Into<Atom>, node: impl Into<Atom>) -> Self {
        ServerRef::from((name.into(), node.into())).into()
    }

    /// Returns the pid, if this reference contains one. References from
    /// [`cx.start_link`](crate::start::Start::start_link) and
    /// [`cx.start_child`](crate::supervisor::ChildRequests::start_child) do.
    ///
    /// # Errors
    /// `{no_pid, Name}` if the reference contains a name.
    #[track_caller]
    pub fn pid(&self) -> Result<Pid> {
        match &self.reference {
            Reference::Pid(pid) => Ok(pid.clone()),
            Reference::Name(_) | Reference::Module(_) | Reference::Other(_) => {
                Err(Exit::error((no_pid, self.target())))
            }
        }
    }

    const fn at(reference: Reference) -> Self {
        Server {
            reference,
            module: PhantomData,
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T> Destination for Server<T> {
    type Process = Self;

    fn target(&self) -> Target<'_> {
        match &self.reference {
            Reference::Pid(pid) => Target::Pid(pid),
            Reference::Name(name) => Target::Name(name),
            Reference::Module(name) => Target::Name(name()),
            Reference::Other(reference) => reference.target(),
        }
    }
}

impl<T: Module> Server<T> {
    /// Returns the server registered under the name of its module.
    #[must_use]
    pub const fn registered() -> Self {
        Self::at(Reference::Module(T::atom))
    }
}

#[diagnostic::do_not_recommend]
impl<T: Module> RegisteredName for &Server<T> {
    fn name(self) -> Result<Name, String> {
        self.target().name()
    }

    fn module(&self) -> Option<&'static Atom> {
        Some(T::atom())
    }
}

/// The code that converts a pid asserts that it belongs to a process of type `T`, like Erlang code
/// that sends a message to a pid.
impl<T> From<Pid> for Server<T> {
    fn from(pid: Pid) -> Self {
        Self::at(Reference::Pid(pid))
    }
}

/// As with a pid, the code that converts a name is responsible for the type.
impl<T> From<Name> for Server<T> {
    fn from(name: Name) -> Self {
        match name {
            Name::Local(name) => Self::local(name),
            Name::Global(name) => ServerRef::Global(name).into(),
            Name::Via(module, name) => ServerRef::from((atoms::via, module, name)).into(),
        }
    }
}

/// As with a pid, the code that converts a reference is responsible for the type.
impl<T> From<ServerRef> for Server<T> {
    fn from(reference: ServerRef) -> Self {
        Self::at(match reference {
            ServerRef::Pid(pid) => Reference::Pid(pid),
            ServerRef::LocalName(name) => Reference::Name(name),
            other => Reference::Other(Arc::new(other)),
        })
    }
}

impl<T> Clone for Server<T> {
    fn clone(&self) -> Self {
        Self::at(self.reference.clone())
    }
}

impl<T> PartialEq for Server<T> {
    fn eq(&self, other: &Self) -> bool {
        self.target() == other.target()
    }
}

impl<T> fmt::Debug for Server<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Server({})", Term::of(&self.target()))
    }
}

impl<T> ErlangType for Server<T> {
    fn erlang_type() -> String {
        "gen_server:server_ref()".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl<T> ToTerm for Server<T> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        self.target().to_term(heap)
    }
}

#[diagnostic::do_not_recommend]
impl<T> FromTerm for Server<T> {
    const KIND: Shape = ServerRef::KIND;
    const SHAPE: Shape = ServerRef::SHAPE;

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        ServerRef::from_term(view).map(Self::from)
    }
}
