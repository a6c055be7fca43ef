//! Event managers and their requests.

use std::fmt;
use std::marker::PhantomData;

use super::{EmgrRef, GenEvent, callback};
use crate::behaviour::supervisor::{ChildSpec, ChildSpecMap, Mfargs};
use crate::process::CallbackContext;
use crate::process::{Name, apply};
use crate::runtime::{Await, Cx, Failure, Module, Operation};
use crate::term::{Reader, Shape};
use crate::{
    Atom, DecodeError, ErlangType, FromTerm, Heap, IsTerm, Pid, Request, Term, ToTerm, View, atom,
    atoms,
};

/// A reference to an event manager.
#[derive(Clone, PartialEq)]
pub struct Manager(EmgrRef);

impl Manager {
    /// Returns the manager registered under this name on this node: `{local, Name}`.
    #[must_use]
    pub fn local(name: impl Into<Atom>) -> Self {
        Manager(EmgrRef::Atom(name.into()))
    }

    /// Returns the manager registered under this name in the cluster: `{global, Name}`.
    #[must_use]
    pub fn global(name: impl ToTerm) -> Self {
        Manager(EmgrRef::Global(Term::of(&name)))
    }

    /// Returns the manager registered under this name of the registry `module`:
    /// `{via, Module, Name}`.
    #[must_use]
    pub fn via(module: impl Into<Atom>, name: impl ToTerm) -> Self {
        Manager(EmgrRef::Via(module.into(), Term::of(&name)))
    }

    /// Returns the manager registered under this name on another node: `{Name, Node}`.
    #[must_use]
    pub fn on_node(name: impl Into<Atom>, node: impl Into<Atom>) -> Self {
        Manager(EmgrRef::Pair(name.into(), node.into()))
    }

    /// Returns the child spec of a manager that registers under this name:
    /// `gen_event:start_link(Name)`. The manager starts without handlers. The id is the name, as
    /// `Name` of `{local, Name}`.
    #[must_use]
    pub fn child_spec(name: impl Into<Name>) -> ChildSpec {
        let name = name.into();
        let arguments = vec![Term::of(&name)];
        let module = atom!("gen_event");
        let start = Mfargs::from((module, atoms::start_link, Some(arguments)));
        let id = match name {
            Name::Local(name) => Term::of(&name),
            Name::Global(name) | Name::Via(_, name) => name,
        };
        // `dynamic`: the supervisor asks the manager for its modules.
        ChildSpec::Map(ChildSpecMap::new(id, start).modules(atoms::dynamic))
    }
}

impl From<Name> for Manager {
    fn from(name: Name) -> Self {
        Manager(match name {
            Name::Local(name) => EmgrRef::Atom(name),
            Name::Global(name) => EmgrRef::Global(name),
            Name::Via(module, name) => EmgrRef::Via(module, name),
        })
    }
}

impl From<Pid> for Manager {
    fn from(pid: Pid) -> Self {
        Manager(EmgrRef::Pid(pid))
    }
}

/// Requests to event managers: methods of [`Cx`].
pub trait ManagerRequests: CallbackContext {
    /// Sends an event to all handlers and does not wait: `gen_event:notify/2`.
    ///
    /// # Errors
    /// None on a running node: an event to a manager that does not exist is lost.
    #[track_caller]
    fn notify(
        &self,
        manager: &Manager,
        event: impl ToTerm,
    ) -> Await<'_, (), ManagerCall<ManagerOk>> {
        self.cx()
            .ask_manager(atom!("notify"), manager, vec![Term::of(&event)])
    }

    /// Sends an event and waits until all handlers have handled it: `gen_event:sync_notify/2`.
    ///
    /// # Errors
    /// `noproc` if there is no such manager.
    #[track_caller]
    fn sync_notify(
        &self,
        manager: &Manager,
        event: impl ToTerm,
    ) -> Await<'_, (), ManagerCall<ManagerOk>> {
        self.cx()
            .ask_manager(atom!("sync_notify"), manager, vec![Term::of(&event)])
    }

    /// Adds a handler: `gen_event:add_handler/3`.
    ///
    /// # Errors
    /// The error of its `init/1`; `noproc` if there is no such manager.
    #[track_caller]
    fn add_handler<T: GenEvent + Module>(
        &self,
        manager: &Manager,
        arguments: T::Args,
    ) -> Await<'_, (), ManagerCall<ManagerOk>> {
        let arguments = vec![Term::of(T::atom()), T::argument(&arguments)];
        self.cx()
            .ask_manager(atom!("add_handler"), manager, arguments)
    }

    /// Adds a handler that is removed when this process ends: `gen_event:add_sup_handler/3`. If the
    /// handler ends first, this process gets a message.
    ///
    /// # Errors
    /// Like [`Cx::add_handler`].
    #[track_caller]
    fn add_sup_handler<T: GenEvent + Module>(
        &self,
        manager: &Manager,
        arguments: T::Args,
    ) -> Await<'_, (), ManagerCall<ManagerOk>> {
        let arguments = vec![Term::of(T::atom()), T::argument(&arguments)];
        self.cx()
            .ask_manager(atom!("add_sup_handler"), manager, arguments)
    }

    /// Removes a handler and returns the result of its `terminate/2`: `gen_event:delete_handler/3`.
    ///
    /// # Errors
    /// `{error, module_not_found}` if there is no such handler; `noproc` if there is no such
    /// manager.
    #[track_caller]
    fn delete_handler<T: GenEvent + Module>(
        &self,
        manager: &Manager,
        arguments: impl ToTerm,
    ) -> Await<'_, Term, ManagerCall<Deleted>> {
        let arguments = vec![Term::of(T::atom()), Term::of(&arguments)];
        self.cx()
            .ask_manager(atom!("delete_handler"), manager, arguments)
    }

    /// Sends a request to one handler and waits for its reply: `gen_event:call/3`.
    ///
    /// # Errors
    /// `{error, bad_module}` if there is no such handler, `{error, {'EXIT', Reason}}` if it failed;
    /// `noproc`, `timeout` and the like as for any call.
    #[track_caller]
    fn call_handler<T, R>(
        &self,
        manager: &Manager,
        request: R,
    ) -> Await<'_, R::Reply, ManagerCall<Replied<R::Reply>>>
    where
        T: callback::HandleCall<R> + Module,
        R: Request,
    {
        let arguments = vec![Term::of(T::atom()), Term::of(&request)];
        self.cx().ask_manager(atom!("call"), manager, arguments)
    }
}

impl ManagerRequests for Cx<'_> {}

impl Cx<'_> {
    #[track_caller]
    fn ask_manager<K: ManagerResult>(
        &self,
        function: Atom,
        manager: &Manager,
        more: Vec<Term>,
    ) -> Await<'_, K::Output, ManagerCall<K>> {
        let mut arguments = vec![Term::of(manager)];
        arguments.extend(more);
        Await::new(
            self,
            ManagerCall {
                function,
                arguments,
                answer: PhantomData,
            },
        )
    }
}

/// A call of `gen_event:Function(Manager, ...)`.
#[derive(Debug)]
pub struct ManagerCall<K> {
    function: Atom,
    arguments: Vec<Term>,
    answer: PhantomData<fn() -> K>,
}

impl<K: ManagerResult> Operation for ManagerCall<K> {
    type Output = K::Output;

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        let module = heap.dynamic_atom(&atom!("gen_event"));
        let function = heap.dynamic_atom(&self.function);
        apply(heap, module, function, &self.arguments)
    }

    fn answer<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<K::Output, Failure> {
        K::read(value, reader)
    }
}

/// How the result of a request to a manager is read.
pub trait ManagerResult {
    /// The Rust type of the result.
    type Output;

    /// Reads the result.
    ///
    /// # Errors
    /// The result has another type, or reports that the manager failed.
    fn read<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<Self::Output, Failure>;
}

/// `ok`, or the reason why not.
#[derive(Debug)]
pub struct ManagerOk;

/// The result of `terminate/2`, or `{error, module_not_found}`.
#[derive(Debug)]
pub struct Deleted;

/// A reply, or `{error, bad_module | {'EXIT', Reason}}`.
#[derive(Debug)]
pub struct Replied<Reply>(PhantomData<fn() -> Reply>);

impl ManagerResult for ManagerOk {
    type Output = ();

    fn read<'a, V: View<'a>>(value: V, _: Reader<'_>) -> Result<(), Failure> {
        if value.is_atom(atoms::ok.atom()) {
            Ok(())
        } else {
            Err(Failure::Exit(value.to_owned()?))
        }
    }
}

impl ManagerResult for Deleted {
    type Output = Term;

    fn read<'a, V: View<'a>>(value: V, _: Reader<'_>) -> Result<Term, Failure> {
        let returned = value.to_owned()?;
        if returned == Term::of(&(atoms::error, atom!("module_not_found"))) {
            Err(Failure::Exit(returned))
        } else {
            Ok(returned)
        }
    }
}

impl<Reply: IsTerm> ManagerResult for Replied<Reply> {
    type Output = Reply;

    fn read<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<Reply, Failure> {
        if let Some([tag, reason]) = value.tuple::<2>()
            && tag.is_atom(atoms::error.atom())
        {
            let exit = reason.tuple::<2>().map(|[exit, _]| exit);
            if reason.atom() == Some(atom!("bad_module"))
                || exit.is_some_and(|exit| exit.is_atom(atoms::EXIT.atom()))
            {
                return Err(Failure::Exit(value.to_owned()?));
            }
        }
        let reply = Reply::read_part(value, reader);
        Ok(reply.map_err(|error| error.at_field("Reply"))?)
    }
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

#[diagnostic::do_not_recommend]
impl ToTerm for Manager {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        self.0.to_term(heap)
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for Manager {
    const KIND: Shape = EmgrRef::KIND;
    const SHAPE: Shape = EmgrRef::SHAPE;

    fn from_term<'a, V: View<'a>>(view: V) -> std::result::Result<Self, DecodeError> {
        EmgrRef::from_term(view).map(Manager)
    }
}
