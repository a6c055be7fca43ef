//! Event managers, and what is asked of them.

use std::fmt;

use super::{EmgrRef, GenEvent, callback};
use crate::behaviour::start::local_name;
use crate::behaviour::supervisor::{ChildSpec, ChildSpecMap, Mfargs};
use crate::runtime::{Cx, Exit, Module, Result};
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
    pub async fn notify(&self, manager: &Manager, event: impl ToTerm) -> Result<()> {
        self.ask_manager("notify", manager, vec![Term::of(&event)])
            .await
            .map(drop)
    }

    /// Sends an event and waits until all handlers have handled it: `gen_event:sync_notify/2`.
    ///
    /// # Errors
    /// `noproc` when there is no such manager.
    pub async fn sync_notify(&self, manager: &Manager, event: impl ToTerm) -> Result<()> {
        self.ask_manager("sync_notify", manager, vec![Term::of(&event)])
            .await
            .map(drop)
    }

    /// Adds a handler: `gen_event:add_handler/3`.
    ///
    /// # Errors
    /// What its `init/1` failed with; `noproc` when there is no such manager.
    pub async fn add_handler<T: GenEvent + Module>(
        &self,
        manager: &Manager,
        arguments: T::Args,
    ) -> Result<()> {
        let arguments = vec![Term::of(&T::atom()), Term::of(&arguments)];
        added(self.ask_manager("add_handler", manager, arguments).await?)
    }

    /// Adds a handler that is removed when this process ends, and tells this process of its end:
    /// `gen_event:add_sup_handler/3`.
    ///
    /// # Errors
    /// As [`Cx::add_handler`].
    pub async fn add_sup_handler<T: GenEvent + Module>(
        &self,
        manager: &Manager,
        arguments: T::Args,
    ) -> Result<()> {
        let arguments = vec![Term::of(&T::atom()), Term::of(&arguments)];
        added(
            self.ask_manager("add_sup_handler", manager, arguments)
                .await?,
        )
    }

    /// Removes a handler: `gen_event:delete_handler/3`. Yields what its `terminate/2` returned.
    ///
    /// # Errors
    /// `{error, module_not_found}` when it is not there; `noproc` when the manager is not.
    pub async fn delete_handler<T: GenEvent + Module>(
        &self,
        manager: &Manager,
        arguments: impl ToTerm,
    ) -> Result<Term> {
        let arguments = vec![Term::of(&T::atom()), Term::of(&arguments)];
        let returned = self
            .ask_manager("delete_handler", manager, arguments)
            .await?;
        let missing = Term::of(&(atoms::error, crate::atom!("module_not_found")));
        if returned == missing {
            return Err(Exit::new(returned));
        }
        Ok(returned)
    }

    /// Sends a request to one handler and waits for its reply: `gen_event:call/3`.
    ///
    /// # Errors
    /// `{error, bad_module}` when the handler is not there, `{error, {'EXIT', Reason}}` when it
    /// failed; `noproc`, `timeout` and the like as of any call.
    pub async fn call_handler<T, R>(&self, manager: &Manager, request: R) -> Result<R::Reply>
    where
        T: callback::HandleCall<R> + Module,
        R: Request,
    {
        let arguments = vec![Term::of(&T::atom()), Term::of(&request)];
        drop(request);
        let returned = self.ask_manager("call", manager, arguments).await?;
        if is_failure(&returned) {
            return Err(Exit::new(returned));
        }
        R::Reply::from_term(&returned).map_err(|error| error.at_field("Reply").into())
    }

    async fn ask_manager(
        &self,
        function: &str,
        manager: &Manager,
        more: Vec<Term>,
    ) -> Result<Term> {
        let mut arguments = vec![Term::of(manager)];
        arguments.extend(more);
        self.apply("gen_event", function, arguments).await
    }
}

fn added(returned: Term) -> Result<()> {
    if returned == Term::of(&atoms::ok) {
        Ok(())
    } else {
        Err(Exit::new(returned))
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
