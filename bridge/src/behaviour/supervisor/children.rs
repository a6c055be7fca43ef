//! Types of a supervisor's children, and of references to them.

use super::{Modules, Worker};
use crate::behaviour::gen_server::Server;
use crate::behaviour::gen_statem::Machine;
use crate::process::RootSupervisor;
use crate::runtime::Started;
use crate::{Pid, Result, Term, ToTerm};

/// A supervisor of this application. Implemented by [`macro@super::supervisor`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a supervisor",
    label = "write an `impl Supervisor` block under `#[supervisor]` for the type"
)]
pub trait HasChildren: Sized + 'static {
    /// The `type Child = Connection;` of its block, or [`AnyChild`] without one.
    type Child: ChildType;

    /// The module of its children, if all have the same one.
    #[doc(hidden)]
    const MODULE: Option<&'static str> = <Self::Child as ChildType>::MODULE;

    /// The Erlang module whose functions send requests to it.
    #[doc(hidden)]
    const FUNCTIONS: &'static str = "supervisor";
}

#[diagnostic::do_not_recommend]
impl<S: HasChildren> RootSupervisor for Server<S> {
    fn process(self) -> Result<Pid> {
        self.pid()
    }
}

/// The children of a supervisor without `type Child`: each has a child spec of its own.
#[derive(Debug, Clone, Copy)]
pub enum AnyChild {}

/// A type that `type Child` accepts: a module that can be started, such as a `gen_server`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a module that can be started",
    label = "`type Child` needs an `impl` block under the attribute of a behaviour with a `start_link`, such as `#[gen_server]`"
)]
pub trait ChildType: Sized + 'static {
    /// A reference to such a child.
    type Reference: From<Pid>;

    /// The name of its module.
    #[doc(hidden)]
    const MODULE: Option<&'static str>;
}

#[diagnostic::do_not_recommend]
impl<T: Started> ChildType for T {
    type Reference = T::Reference;
    const MODULE: Option<&'static str> = Some(T::NAME);
}

impl ChildType for AnyChild {
    type Reference = Pid;
    const MODULE: Option<&'static str> = None;
}

/// A supervisor that starts all its children from one template: its block has a `type Child`.
#[diagnostic::on_unimplemented(
    message = "the supervisor `{Self}` does not declare the type of its children",
    label = "start its children by their child specs: `cx.start_child_spec(&supervisor, ChildSpec::of::<…>(…))`",
    note = "for a supervisor with `simple_one_for_one`, write `type Child = …;` into its `#[supervisor]` block"
)]
pub trait Dynamic: HasChildren {
    /// The type of its children.
    type Template: Started;
}

#[diagnostic::do_not_recommend]
impl<S: HasChildren<Child: Started>> Dynamic for S {
    type Template = S::Child;
}

/// A supervisor whose children have child specs of their own, each with an id.
#[diagnostic::on_unimplemented(
    message = "the children of the supervisor `{Self}` have no ids: all are started from its template",
    label = "start such a child by `cx.start_child(&supervisor, arguments)`, and stop it by `cx.terminate_child(&supervisor, &child)`",
    note = "its `#[supervisor]` block has a `type Child`"
)]
pub trait Static: HasChildren {}

#[diagnostic::do_not_recommend]
impl<S: HasChildren<Child = AnyChild>> Static for S {}

/// Identifies a child among its siblings. A child that was started from a template is identified by
/// its reference, any other child by its id, which is any term.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not refer to a child of this supervisor",
    label = "its children, of type `{Child}`, have no ids: pass the value that `cx.start_child` has returned"
)]
pub trait NameOfChild<Child> {
    /// Returns the term that identifies the child for OTP, if there is one.
    #[doc(hidden)]
    fn term(&self) -> Option<Term>;
}

#[diagnostic::do_not_recommend]
impl<T: Started> NameOfChild<T> for Server<T> {
    fn term(&self) -> Option<Term> {
        self.pid().ok().map(|pid| Term::of(&pid))
    }
}

#[diagnostic::do_not_recommend]
impl<T: Started> NameOfChild<T> for Machine<T> {
    fn term(&self) -> Option<Term> {
        self.pid().ok().map(|pid| Term::of(&pid))
    }
}

#[diagnostic::do_not_recommend]
impl<T: Started> NameOfChild<T> for Pid {
    fn term(&self) -> Option<Term> {
        Some(Term::of(self))
    }
}

impl<Id: ToTerm> NameOfChild<AnyChild> for Id {
    fn term(&self) -> Option<Term> {
        Some(Term::of(self))
    }
}

/// A child, as `supervisor:which_children/1` describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct ChildInfo<Reference> {
    /// Its id. `None` if it was started from a template.
    pub id: Option<Term>,
    /// Its process.
    pub process: ChildProcess<Reference>,
    /// Whether it is a worker or a supervisor.
    pub worker: Worker,
    /// The modules of its callbacks.
    pub modules: Modules,
}

/// The process of a child.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChildProcess<Reference> {
    /// It runs.
    Running(Reference),
    /// `restarting`: it has ended, and the supervisor is about to restart it.
    Restarting,
    /// `undefined`: it has been terminated, or its `init` returned `ignore`.
    Terminated,
}

impl<Reference> ChildProcess<Reference> {
    /// Returns a reference to the process, if it runs.
    pub fn running(self) -> Option<Reference> {
        match self {
            ChildProcess::Running(process) => Some(process),
            ChildProcess::Restarting | ChildProcess::Terminated => None,
        }
    }
}

/// How many children a supervisor has: `supervisor:count_children/1`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChildCount {
    /// Child specs. A template counts as one.
    pub specs: u64,
    /// Children whose processes run.
    pub active: u64,
    /// Children that are supervisors, running or not.
    pub supervisors: u64,
    /// Children that are workers, running or not.
    pub workers: u64,
}
