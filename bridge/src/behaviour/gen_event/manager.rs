//! Event managers, and what is asked of them.

use std::fmt;
use std::panic::Location;

use super::{EmgrRef, GenEvent, callback};
use crate::behaviour::start::local_name;
use crate::behaviour::supervisor::{ChildSpec, ChildSpecMap, Mfargs};
use crate::process::Apply;
use crate::runtime::{Await, Class, Cx, Exit, Module, Result};
use crate::{
    Atom, DecodeError, ErlangType, FromTerm, Heap, Pid, Request, Term, ToTerm, View, atoms,
};

/// A reference to an event manager.
#[derive(Clone, PartialEq)]
pub struct Manager(EmgrRef);

impl Manager {
    /// The manager registered under this name on this node: `{local, Name}`.
    #[must_use]
    pub fn local(name: impl Into<Atom>) -> Self {
        Manager(EmgrRef::Atom(name.into()))
    }

    /// The manager registered under this name in the cluster: `{global, Name}`.
    #[must_use]
    pub fn global(name: impl ToTerm) -> Self {
        Manager(EmgrRef::Global(Term::of(&name)))
    }

    /// The manager registered under this name on another node: `{Name, Node}`.
    #[must_use]
    pub fn on_node(name: impl Into<Atom>, node: impl Into<Atom>) -> Self {
        Manager(EmgrRef::Tuple(name.into(), node.into()))
    }

    /// The specification of a child that is a manager, registered under this name on its node:
    /// `gen_event:start_link({local, Name})`. It has no handlers yet.
    #[must_use]
    pub fn child_spec(name: impl Into<Atom>) -> ChildSpec {
        let name = name.into();
        let arguments = vec![local_name(name.clone())];
        let module = crate::atom!("gen_event");
        let start = Mfargs(module, atoms::start_link.into(), arguments.into());
        // The supervisor asks a manager itself for its modules.
        ChildSpec::Map(ChildSpecMap::new(name, start).modules(atoms::dynamic))
    }
}

impl From<Pid> for Manager {
    fn from(pid: Pid) -> Self {
        Manager(EmgrRef::Pid(pid))
    }
}

impl Cx<'_> {
    /// Sends an event to all handlers and does not wait: `gen_event:notify/2`.
    ///
    /// # Errors
    /// None that a running node gives: an event to a manager that is not there is lost.
    #[track_caller]
    pub fn notify(
        &self,
        manager: &Manager,
        event: impl ToTerm,
    ) -> impl Future<Output = Result<()>> {
        let told = self.ask_manager("notify", manager, vec![Term::of(&event)]);
        async move { told.await.map(drop) }
    }

    /// Sends an event and waits until all handlers have handled it: `gen_event:sync_notify/2`.
    ///
    /// # Errors
    /// `noproc` when there is no such manager.
    #[track_caller]
    pub fn sync_notify(
        &self,
        manager: &Manager,
        event: impl ToTerm,
    ) -> impl Future<Output = Result<()>> {
        let told = self.ask_manager("sync_notify", manager, vec![Term::of(&event)]);
        async move { told.await.map(drop) }
    }

    /// Adds a handler: `gen_event:add_handler/3`.
    ///
    /// # Errors
    /// What its `init/1` failed with; `noproc` when there is no such manager.
    #[track_caller]
    pub fn add_handler<T: GenEvent + Module>(
        &self,
        manager: &Manager,
        arguments: T::Args,
    ) -> impl Future<Output = Result<()>> {
        self.add::<T>("add_handler", manager, arguments)
    }

    /// Adds a handler that is removed when this process ends, and tells this process of its end:
    /// `gen_event:add_sup_handler/3`.
    ///
    /// # Errors
    /// As [`Cx::add_handler`].
    #[track_caller]
    pub fn add_sup_handler<T: GenEvent + Module>(
        &self,
        manager: &Manager,
        arguments: T::Args,
    ) -> impl Future<Output = Result<()>> {
        self.add::<T>("add_sup_handler", manager, arguments)
    }

    /// Removes a handler: `gen_event:delete_handler/3`. Yields what its `terminate/2` returned.
    ///
    /// # Errors
    /// `{error, module_not_found}` when it is not there; `noproc` when the manager is not.
    #[track_caller]
    pub fn delete_handler<T: GenEvent + Module>(
        &self,
        manager: &Manager,
        arguments: impl ToTerm,
    ) -> impl Future<Output = Result<Term>> {
        let location = Location::caller();
        let arguments = vec![Term::of(&T::atom()), Term::of(&arguments)];
        let deleted = self.ask_manager("delete_handler", manager, arguments);
        let missing = Term::of(&(atoms::error, crate::atom!("module_not_found")));
        async move {
            let returned = deleted.await?;
            exit_if(returned == missing, returned, location)
        }
    }

    /// Sends a request to one handler and waits for its reply: `gen_event:call/3`.
    ///
    /// # Errors
    /// `{error, bad_module}` when the handler is not there, `{error, {'EXIT', Reason}}` when it
    /// failed; `noproc`, `timeout` and the like as of any call.
    #[track_caller]
    pub fn call_handler<T, R>(
        &self,
        manager: &Manager,
        request: R,
    ) -> impl Future<Output = Result<R::Reply>>
    where
        T: callback::HandleCall<R> + Module,
        R: Request,
    {
        let location = Location::caller();
        let arguments = vec![Term::of(&T::atom()), Term::of(&request)];
        let called = self.ask_manager("call", manager, arguments);
        async move {
            let returned = called.await?;
            let reply = exit_if(is_failure(&returned), returned, location)?;
            let reply = R::Reply::from_term(&reply).map_err(|error| error.at_field("Reply"));
            reply.map_err(|error| Exit::bad_term(error, location))
        }
    }

    #[track_caller]
    fn add<T: Module>(
        &self,
        function: &str,
        manager: &Manager,
        arguments: T::Args,
    ) -> impl Future<Output = Result<()>> {
        let location = Location::caller();
        let arguments = vec![Term::of(&T::atom()), Term::of(&arguments)];
        let added = self.ask_manager(function, manager, arguments);
        async move {
            let returned = added.await?;
            exit_if(returned != Term::of(&atoms::ok), returned, location).map(drop)
        }
    }

    #[track_caller]
    fn ask_manager(
        &self,
        function: &str,
        manager: &Manager,
        more: Vec<Term>,
    ) -> Await<'_, Apply<Vec<Term>, Term>> {
        let mut arguments = vec![Term::of(manager)];
        arguments.extend(more);
        self.apply("gen_event", function, arguments)
    }
}

/// What was returned, or the exit of the call that `location` made.
fn exit_if(failed: bool, returned: Term, location: &'static Location<'static>) -> Result<Term> {
    match failed {
        true => Err(Exit::raised_at(Class::Exit, returned, location)),
        false => Ok(returned),
    }
}

/// `{error, bad_module} | {error, {'EXIT', Reason}}`: no reply of a handler's.
fn is_failure(returned: &Term) -> bool {
    let Term::Tuple(elements) = returned else {
        return false;
    };
    let [tag, reason] = elements.as_slice() else {
        return false;
    };
    let exit = |reason: &Term| matches!(reason, Term::Tuple(pair) if pair.len() == 2 && pair[0] == Term::of(&atoms::EXIT));
    *tag == Term::of(&atoms::error)
        && (*reason == Term::of(&crate::atom!("bad_module")) || exit(reason))
}

impl fmt::Debug for Manager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Manager({})", Term::of(&self.0))
    }
}

impl ErlangType for Manager {
    fn erlang_type() -> String {
        "gen_event:emgr_ref()".to_owned()
    }
}

impl ToTerm for Manager {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        self.0.to_term(heap)
    }
}

impl FromTerm for Manager {
    fn from_term<'a, V: View<'a>>(view: V) -> std::result::Result<Self, DecodeError> {
        EmgrRef::from_term(view).map(Manager)
    }
}
