//! Requests to a running supervisor, typed by the supervisor's own type.

use std::fmt;
use std::marker::PhantomData;

use otp_contract::modules::DYNAMIC;

use super::child_start::ChildStart;
use super::isolation::IsolatedStart;
use super::results::{AnyStarted, ChildCounts, Listed, OneStarted, SupervisorOk, SupervisorResult};
use super::{ChildSpec, Dynamic, HasChildren, NameOfChild, Static};
use crate::behaviour::gen_server::Server;
use crate::behaviour::start::{NamedStart, StartArguments, StartParts, named};
use crate::process::CallbackContext;
use crate::process::{Destination, Name, RegisteredName, Target, apply};
use crate::runtime::{Await, Cx, Failure, Module, Operation, Started};
use crate::term::Reader;
use crate::{Atom, Heap, Term, ToTerm, View, atom, atoms};

/// A request to a supervisor, to be awaited.
pub(super) type SupervisorAwait<'a, R> =
    Await<'a, <R as SupervisorResult>::Output, SupervisorCall<'a, R>>;

/// A call of a function of `supervisor`. `R` reads its result.
pub struct SupervisorCall<'a, R> {
    supervisor: Target<'a>,
    module: &'static str,
    function: Atom,
    argument: Option<Term>,
    refused: Option<String>,
    result: PhantomData<fn() -> R>,
}

impl<T: Started> SupervisorAwait<'_, OneStarted<T>> {
    /// Registers the child under this name before its `init` runs, for example with a
    /// [`Registry`](crate::registry::Registry). If it has a name already, awaiting it fails with
    /// `badarg`.
    ///
    /// # Errors
    /// `{already_started, Pid}` if another process has the name.
    pub fn registered(mut self, name: impl RegisteredName) -> Self {
        let ask = self.operation();
        let done = named(name, T::atom()).and_then(|name| {
            let parts = match &ask.argument {
                Some(Term::List(arguments)) => StartParts::read(T::BEHAVIOUR, arguments),
                _ => None,
            };
            let parts = parts.unwrap_or_else(|| unreachable!("they are those of `start_child`"));
            let mut arguments = StartArguments::from(parts);
            arguments.register(&name)?;
            ask.argument = Some(Term::of(&arguments.list(T::BEHAVIOUR)));
            Ok(())
        });
        let error = done
            .err()
            .map(|error| format!("a process of `{}` {error}", T::NAME));
        ask.refused = ask.refused.take().or(error);
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: Started> NamedStart<T::Reference> for SupervisorAwait<'_, OneStarted<T>> {
    fn named(self, name: &Name) -> Self {
        self.registered(name.clone())
    }
}

/// Methods of [`Cx`] that send supervisors requests about their children.
pub trait ChildRequests: CallbackContext {
    /// Starts a child of a supervisor with the strategy `simple_one_for_one`, from its template:
    /// `supervisor:start_child/2`.
    ///
    /// ```
    /// # use otp_bridge::gen_server::{self, GenServer, Server};
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::atoms::{ok, temporary};
    /// use otp_bridge::supervisor::prelude::*;
    /// # #[derive(Debug)]
    /// # pub struct Connection;
    /// # #[gen_server::gen_server]
    /// # impl GenServer for Connection {
    /// #     type Args = u64;
    /// #     fn init(_: u64) -> impl gen_server::InitReturn<Self> { (ok, Connection) }
    /// # }
    ///
    /// pub struct Connections;
    ///
    /// #[supervisor]
    /// impl Supervisor for Connections {
    ///     type Args = ();
    ///     type Child = Connection;
    ///
    ///     fn init(_: ()) -> impl InitReturn {
    ///         let connection = ChildSpec::template::<Connection>().restart(temporary);
    ///         (ok, (SupFlags::simple_one_for_one(), vec![connection]))
    ///     }
    /// }
    ///
    /// async fn connect(cx: &Cx<'_>, connections: &Server<Connections>) -> Result<Server<Connection>> {
    ///     cx.start_child(connections, 7).await
    /// }
    /// ```
    ///
    /// # Errors
    /// The reason of the child's `init/1`, or `ignore`; the exits of `gen_server:call/3`.
    #[track_caller]
    fn start_child<'a, S: Dynamic>(
        &'a self,
        supervisor: &'a Server<S>,
        arguments: <S::Template as Module>::Args,
    ) -> Await<'a, <S::Template as Started>::Reference, SupervisorCall<'a, OneStarted<S::Template>>>
    {
        let arguments = StartArguments::new(S::Template::argument(&arguments));
        let arguments = arguments.list(S::Template::BEHAVIOUR);
        let function = atoms::start_child.into();
        SupervisorCall::new(supervisor, function, Some(Term::of(&arguments))).of(self.cx())
    }

    /// Adds a child to a supervisor and starts it: `supervisor:start_child/2`. The result is `None`
    /// if the child's `init` returned `ignore`.
    ///
    /// # Errors
    /// `already_present`, `{already_started, Pid}`, the reason of the child's `init/1`; the exits
    /// of `gen_server:call/3`.
    #[track_caller]
    fn start_child_spec<'a, S: Static>(
        &'a self,
        supervisor: &'a Server<S>,
        child: ChildSpec,
    ) -> SupervisorAwait<'a, AnyStarted> {
        let child = child.into_map();
        let template = ChildStart::read(&child.start).template().map(|module| {
            format!("the child spec of `{module}` is a template: use `ChildSpec::of`")
        });
        let isolated = IsolatedStart::read(&child.start)
            .and_then(|start| start.refusal())
            .map(|refusal| format!("the child `{}` {refusal}", child.id));
        let refused = template.or(isolated);
        let child = Term::of(&ChildSpec::Map(child));
        let mut ask = SupervisorCall::new(supervisor, atoms::start_child.into(), Some(child));
        ask.refused = refused;
        ask.of(self.cx())
    }

    /// Terminates a child: `supervisor:terminate_child/2`. The supervisor keeps the child spec of a
    /// child with an id, so that you can restart or delete the child, unless it is `temporary`. A
    /// child that was started from a template is identified by its reference.
    ///
    /// # Errors
    /// `not_found`; the exits of `gen_server:call/3`; `badarg` for a child of a template that is
    /// referred to by a name.
    #[track_caller]
    fn terminate_child<'a, S: HasChildren>(
        &'a self,
        supervisor: &'a Server<S>,
        child: &impl NameOfChild<S::Child>,
    ) -> SupervisorAwait<'a, SupervisorOk> {
        let function = atoms::terminate_child.into();
        let term = child.term();
        let mut ask = SupervisorCall::new(supervisor, function, None);
        if term.is_none() {
            let text = "a child that was started from a template has no name: pass its pid";
            ask.refused = Some(text.to_owned());
        }
        ask.argument = term;
        ask.of(self.cx())
    }

    /// Restarts a child that has been terminated: `supervisor:restart_child/2`.
    ///
    /// # Errors
    /// `running`, `restarting`, `not_found`, the reason of the child's `init/1`; the exits of
    /// `gen_server:call/3`.
    #[track_caller]
    fn restart_child<'a, S: Static>(
        &'a self,
        supervisor: &'a Server<S>,
        id: &impl ToTerm,
    ) -> SupervisorAwait<'a, AnyStarted> {
        SupervisorCall::new(supervisor, atoms::restart_child.into(), Some(Term::of(id)))
            .of(self.cx())
    }

    /// Deletes the child spec of a child that has been terminated: `supervisor:delete_child/2`.
    ///
    /// # Errors
    /// `running`, `restarting`, `not_found`; the exits of `gen_server:call/3`.
    #[track_caller]
    fn delete_child<'a, S: Static>(
        &'a self,
        supervisor: &'a Server<S>,
        id: &impl ToTerm,
    ) -> SupervisorAwait<'a, SupervisorOk> {
        SupervisorCall::new(supervisor, atoms::delete_child.into(), Some(Term::of(id)))
            .of(self.cx())
    }

    /// Returns the children of a supervisor: `supervisor:which_children/1`. The list costs memory
    /// for each child; [`Cx::count_children`] does not.
    ///
    /// # Errors
    /// The exits of `gen_server:call/3`.
    #[track_caller]
    fn which_children<'a, S: HasChildren>(
        &'a self,
        supervisor: &'a Server<S>,
    ) -> SupervisorAwait<'a, Listed<ReferenceOf<S>>> {
        SupervisorCall::new(supervisor, atoms::which_children.into(), None).of(self.cx())
    }

    /// Returns the numbers of a supervisor's children: `supervisor:count_children/1`.
    ///
    /// # Errors
    /// The exits of `gen_server:call/3`.
    #[track_caller]
    fn count_children<'a, S: HasChildren>(
        &'a self,
        supervisor: &'a Server<S>,
    ) -> SupervisorAwait<'a, ChildCounts> {
        SupervisorCall::new(supervisor, atoms::count_children.into(), None).of(self.cx())
    }
}

impl ChildRequests for Cx<'_> {}

/// A reference to a child of the supervisor `S`.
type ReferenceOf<S> = <<S as HasChildren>::Child as super::ChildType>::Reference;

impl<'a, R: SupervisorResult> SupervisorCall<'a, R> {
    fn new<S: HasChildren>(
        supervisor: &'a Server<S>,
        function: Atom,
        argument: Option<Term>,
    ) -> Self {
        SupervisorCall {
            supervisor: supervisor.target(),
            module: S::FUNCTIONS,
            function,
            argument,
            refused: None,
            result: PhantomData,
        }
    }

    #[track_caller]
    fn of(self, cx: &'a Cx<'a>) -> SupervisorAwait<'a, R> {
        Await::new(cx, self)
    }
}

impl<R> fmt::Debug for SupervisorCall<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (function, argument) = (&self.function, &self.argument);
        write!(f, "Ask({:?}, {function}, {argument:?})", self.supervisor)
    }
}

impl<R: SupervisorResult> Operation for SupervisorCall<'_, R> {
    type Output = R::Output;

    fn refused(&self) -> Option<String> {
        self.refused.clone()
    }

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        let module = match self.module {
            DYNAMIC => atom!("otp_rs_dynamic"),
            _ => atom!("supervisor"),
        };
        let module = heap.dynamic_atom(&module);
        let function = heap.dynamic_atom(&self.function);
        let arguments = std::iter::once(Term::of(&self.supervisor));
        let arguments: Vec<Term> = arguments.chain(self.argument.clone()).collect();
        apply(heap, module, function, &arguments)
    }

    fn answer<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<R::Output, Failure> {
        if let Some([tag, reason]) = value.tuple::<2>()
            && tag.is_atom(atoms::error.atom())
        {
            return Err(Failure::Exit(reason.to_owned()?));
        }
        R::read(value, reader)
    }
}
