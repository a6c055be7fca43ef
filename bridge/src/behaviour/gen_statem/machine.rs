//! References to state machines.

use std::fmt;

use crate::behaviour::gen_server::{MessageTo, RequestTo, Server, sent_to};
use crate::process::{Destination, Name, RegisteredName, SentTo, Target};
use crate::runtime::{Accepts, Caller, Module};
use crate::term::Shape;
use crate::{
    Atom, DecodeError, ErlangType, FromTerm, Heap, Pid, Request, Result, ToTerm, View, atoms,
};

/// A reference to a state machine with data of type `T`. It accepts only events that `T` has a
/// clause for, in `handle_event/4` or in one of its state functions.
///
/// Whether the machine is in a state that handles the event is known only when the event arrives.
pub struct Machine<T>(Server<T>);

impl<T> Machine<T> {
    /// Returns the machine registered under this name on this node: `{local, Name}`.
    #[must_use]
    pub const fn local(name: Atom) -> Self {
        Machine(Server::local(name))
    }

    /// Returns the machine registered under this name in the cluster: `{global, Name}`.
    #[must_use]
    pub fn global(name: impl ToTerm) -> Self {
        Machine(Server::global(name))
    }

    /// Returns the machine registered under this name on another node: `{Name, Node}`.
    #[must_use]
    pub fn on_node(name: impl Into<Atom>, node: impl Into<Atom>) -> Self {
        Machine(Server::on_node(name, node))
    }

    /// Returns the machine registered under this name of the registry `module`:
    /// `{via, Module, Name}`.
    #[must_use]
    pub fn via(module: Atom, name: impl ToTerm) -> Self {
        Machine(Server::via(module, name))
    }

    /// Returns the pid of a machine that is referred to by its pid, as the references from
    /// [`cx.start_link`](crate::start::Start::start_link) and
    /// [`cx.start_child`](crate::supervisor::ChildRequests::start_child) are.
    ///
    /// # Errors
    /// `{no_pid, Name}` if it is referred to by a name.
    #[track_caller]
    pub fn pid(&self) -> Result<Pid> {
        self.0.pid()
    }
}

#[diagnostic::do_not_recommend]
impl<T> Destination for Machine<T> {
    type Process = Self;

    fn target(&self) -> Target<'_> {
        self.0.target()
    }
}

impl<T: Module> Machine<T> {
    /// Returns the machine registered under the name of its module.
    #[must_use]
    pub const fn registered() -> Self {
        Machine(Server::registered())
    }
}

impl<T: Accepts<(atoms::info, M)>, M> SentTo<Machine<T>> for M {}

sent_to!(RequestTo<Machine<T>> for R where T: Accepts<((atoms::call, Caller<R::Reply>), R)>, R: Request);
sent_to!(MessageTo<Machine<T>> for M where T: Accepts<(atoms::cast, M)>, M);

#[diagnostic::do_not_recommend]
impl<T: Module> RegisteredName for &Machine<T> {
    fn name(self) -> Result<Name, String> {
        self.target().name()
    }

    fn module(&self) -> Option<&'static Atom> {
        Some(T::atom())
    }
}

/// The code that converts a pid asserts that it belongs to a process of type `T`, like Erlang code
/// that sends a message to a pid.
impl<T> From<Pid> for Machine<T> {
    fn from(pid: Pid) -> Self {
        Machine(pid.into())
    }
}

/// As with a pid, the code that converts a name is responsible for the type.
impl<T> From<Name> for Machine<T> {
    fn from(name: Name) -> Self {
        Machine(name.into())
    }
}

impl<T> Clone for Machine<T> {
    fn clone(&self) -> Self {
        Machine(self.0.clone())
    }
}

impl<T> PartialEq for Machine<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T> fmt::Debug for Machine<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Machine({})", crate::Term::of(&self.target()))
    }
}

impl<T> ErlangType for Machine<T> {
    fn erlang_type() -> String {
        "gen_statem:server_ref()".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl<T> ToTerm for Machine<T> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        self.0.to_term(heap)
    }
}

#[diagnostic::do_not_recommend]
impl<T> FromTerm for Machine<T> {
    const KIND: Shape = Server::<T>::KIND;
    const SHAPE: Shape = Server::<T>::SHAPE;

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        Server::from_term(view).map(Machine)
    }
}
