//! Destinations of messages.

use crate::runtime::{TermOrigin, protocol};
use crate::{Atom, ErlangType, Heap, Pid, Reference, Result, Term, ToTerm};

/// A process, by its identifier or by a name: any destination of `Destination ! Message`, and names
/// of `global` and of other registries.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target<'a> {
    /// `Pid`
    Pid(&'a Pid),
    /// A name registered on this node.
    Name(&'a Atom),
    /// `{Name, Node}`
    OnNode(&'a Atom, &'a Atom),
    /// `{global, Name}`
    Global(&'a Term),
    /// `{via, Module, Name}`
    Via(&'a Atom, &'a Term),
    /// An alias of a process, which can only receive messages.
    Alias(&'a Reference),
}

/// A destination of messages.
#[diagnostic::on_unimplemented(
    message = "cannot send a message to a `{Self}`",
    label = "not a destination",
    note = "messages go to a `Pid`, an `Atom` (a registered name), a `(name, node)`, or a `Server`"
)]
pub trait Destination {
    /// The knowledge about the process: [`Anybody`], or the [`Server`](crate::gen_server::Server).
    type Process;

    /// Returns the process that the value refers to.
    fn target(&self) -> Target<'_>;
}

#[diagnostic::do_not_recommend]
impl Destination for Pid {
    type Process = Anybody;

    fn target(&self) -> Target<'_> {
        Target::Pid(self)
    }
}

#[diagnostic::do_not_recommend]
impl Destination for Atom {
    type Process = Anybody;

    fn target(&self) -> Target<'_> {
        Target::Name(self)
    }
}

#[diagnostic::do_not_recommend]
impl Destination for (Atom, Atom) {
    type Process = Anybody;

    fn target(&self) -> Target<'_> {
        Target::OnNode(&self.0, &self.1)
    }
}

#[diagnostic::do_not_recommend]
impl<D: Destination + ?Sized> Destination for &D {
    type Process = D::Process;

    fn target(&self) -> Target<'_> {
        D::target(self)
    }
}

/// A message that can be sent to a process: any message, unless the clauses of the process are
/// known.
pub trait SentTo<Process> {}

/// A process about which the types know nothing more.
#[derive(Debug)]
pub struct Anybody;

impl<M> SentTo<Anybody> for M {}

/// The root supervisor of an application, which `application:start/2` returns.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a supervisor of this application",
    label = "not the root supervisor",
    note = "return what `cx.start_link_registered::<…>(…).await?` gives: `(ok, root, state)`; for a root supervisor in Erlang, its pid: `Start::OkState(pid, state)`",
    note = "-callback start(StartType :: start_type(), StartArgs :: term()) -> {{ok, pid()}} | {{ok, pid(), State :: term()}} | {{error, Reason :: term()}}."
)]
pub trait RootSupervisor {
    /// Returns its pid.
    ///
    /// # Errors
    /// `{no_pid, Name}` if it is referred to by a name.
    fn process(self) -> Result<Pid>;
}

impl Target<'_> {
    /// Returns where its process runs.
    pub(crate) fn origin(&self) -> TermOrigin {
        match self {
            Target::Pid(pid) => TermOrigin::of(pid),
            Target::Name(_) => TermOrigin::Here,
            Target::OnNode(_, node) => TermOrigin::Node((*node).clone()),
            Target::Global(_) | Target::Via(..) | Target::Alias(_) => TermOrigin::Unknown,
        }
    }
}

impl ErlangType for Target<'_> {
    fn erlang_type() -> String {
        "gen_server:server_ref()".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for Target<'_> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        match self {
            Target::Pid(pid) => heap.pid(pid),
            Target::Name(name) => heap.dynamic_atom(name),
            Target::Alias(alias) => heap.reference(alias),
            Target::OnNode(name, node) => {
                heap.tuple([heap.dynamic_atom(name), heap.dynamic_atom(node)])
            }
            Target::Global(name) => {
                heap.tuple([protocol::global.to_term(heap), name.to_term(heap)])
            }
            Target::Via(module, name) => heap.tuple([
                protocol::via.to_term(heap),
                heap.dynamic_atom(module),
                name.to_term(heap),
            ]),
        }
    }
}
