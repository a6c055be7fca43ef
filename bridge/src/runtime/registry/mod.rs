//! The Erlang modules of a library: which Rust type or Rust module stands for each.
//!
//! Called from outside: by generated code, which describes callbacks and their clauses, and by
//! whoever looks one up. It knows what a clause is called and what its types are, but not how it
//! runs.

pub(super) mod arrival;
mod behaviour;
pub(super) mod clause_scheduler;
pub(super) mod holders;
mod itself;
pub(super) mod library;
mod lookup;
mod manifest;
#[cfg(feature = "nifs")]
mod natives;
mod running_clause;
mod shared_clause;
mod signature;
mod stand_in;
mod state_codec;
mod taken;
mod used_names;
mod version_of;
pub(super) mod without_callback;

use std::any::TypeId;
use std::fmt;
use std::panic::Location;

use crate::{Atom, DecodeError, Definitions, Pid, Term};
pub use behaviour::{
    Behaviour, Callback, CallbackFacts, CallbackKind, ReplyPosition, StartFunction,
};
pub use clause_scheduler::ClauseScheduler;
pub(crate) use itself::Itself;
pub(crate) use lookup::{LibraryModules, behaviour_of};
pub use manifest::ResourceEntry;
#[cfg(feature = "nifs")]
pub use natives::NativeModule;
#[cfg(feature = "nifs")]
pub(crate) use natives::module as native_module;
pub(crate) use running_clause::RunningClause;
pub(in crate::runtime) use shared_clause::SharedClause;
pub use signature::{Form, Sign, Signature, type_of_state};
pub use stand_in::ClauseStandIn;
pub use state_codec::StateCodec;
pub use taken::Taken;
pub use used_names::{NamedProcess, UsedNameEntry};
pub use version_of::VersionOf;

/// A Rust type that is an Erlang callback module. Implemented by the behaviours' attribute macros.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an Erlang module",
    label = "a type is one by an `impl` block under a behaviour's attribute, such as `#[gen_server]`"
)]
pub trait Module: Sized + 'static {
    /// Name of the Erlang module.
    const NAME: &'static str;
    /// The behaviour that it implements.
    const BEHAVIOUR: &'static Behaviour;

    /// Whether nothing outside of its callbacks shows the state: `#[gen_server(secret)]`.
    const IS_SECRET: bool = false;

    /// What it is started with: a term, as the behaviour's own trait says.
    type Args;

    /// The type itself: a process and its state move between scheduler threads. As a bound of the
    /// trait, `Send` would be asked for, and be an error, wherever the trait is named.
    #[doc(hidden)]
    type Moved: Itself<Self> + Send;

    /// The term of what it is started with.
    fn argument(arguments: &Self::Args) -> Term;

    /// The Erlang text of what it is started with.
    fn argument_type(types: &mut Definitions) -> String;

    /// Whether it can be started with this term.
    ///
    /// # Errors
    /// What is wrong with the term.
    fn takes(argument: &Term) -> Result<(), DecodeError>;

    /// Whether a term is of the type that its callbacks hand to each other, as a `gen_statem`'s its
    /// state.
    ///
    /// # Errors
    /// What is wrong with the term.
    #[doc(hidden)]
    fn takes_chosen(term: &Term) -> Result<(), DecodeError> {
        let _ = term;
        Ok(())
    }

    /// [`Module::NAME`] as a term.
    fn atom() -> &'static Atom;

    /// Writes the state as crash reports show it: nothing for behaviours that keep no state, and
    /// nothing of one that is secret.
    ///
    /// # Errors
    /// The writer's.
    fn describe_state(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        let _ = out;
        Ok(())
    }

    /// How the state becomes a term and is read from one, where its type says so.
    fn state_codec() -> Option<StateCodec<Self>> {
        None
    }
}

/// A module that its behaviour starts a process of, such as a `gen_server`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a module that can be started",
    label = "a type is one by an `impl` block under the attribute of a behaviour with a `start_link`, such as `#[gen_server]`"
)]
pub trait Started: Module<Args = <Self as Started>::Arguments> {
    /// What it is started with: its [`Module::Args`]. It has a name here, too, so that the compiler
    /// says of a type that is not a module only that it cannot be started.
    type Arguments;

    /// A reference to one of its processes: [`Server`](crate::gen_server::Server), or
    /// [`Machine`](crate::gen_statem::Machine) for a `gen_statem`.
    type Reference: From<Pid>;
}

/// A module whose processes can run in a VM of their own: each is one process, with its state.
#[diagnostic::on_unimplemented(
    message = "a process of `{Self}` cannot be isolated",
    label = "not a process with a state, such as that of a `gen_server`",
    note = "a supervisor stays where its own supervisor is: isolate its children"
)]
pub trait Isolated: Started {}

/// A module that has a clause for an event: the types by which clauses differ, such as
/// `((call, Caller<u64>), Get)` of a `gen_statem`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no clause for `{Event}`",
    label = "not an event of this module"
)]
pub trait Accepts<Event>: Module {}

/// A module that has a clause of `handle_call` for a request of type `R`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no clause of `handle_call` for `{R}`",
    label = "not a request of this module"
)]
pub trait Answers<R>: Module {}

/// Stands for the layer above, which runs clauses: only it knows what an invocation is.
pub enum Runs {}

/// What a clause asks for its arguments and is run by.
pub trait InvokedBy {
    /// A call of a callback.
    type Invocation<'a>;
}

/// A clause of an implemented callback.
pub struct ClauseEntry {
    /// Tries to run the clause with the arguments at hand; if they do not decode, everything is as
    /// it was.
    pub run: fn(&mut <Runs as InvokedBy>::Invocation<'_>) -> Result<(), DecodeError>,
    /// Its types.
    pub signature: Sign,
    /// The types of its messages, as the source has them.
    pub message: &'static str,
    /// Where it is written.
    pub location: &'static Location<'static>,
    /// Where it is called.
    pub scheduler: fn() -> &'static ClauseScheduler,
}

impl ClauseEntry {
    /// Before a clause has been tried.
    pub(crate) const NONE: ClauseEntry = ClauseEntry {
        run: |_| Ok(()),
        signature: |_| Signature {
            arguments: Vec::new(),
            returns: Vec::new(),
        },
        message: "",
        location: Location::caller(),
        scheduler: ClauseScheduler::pinned,
    };
}

/// An implemented callback: its clauses, tried in order. A function has one clause.
pub struct CallbackEntry {
    /// Function name in Erlang.
    pub name: &'static str,
    /// Number of arguments.
    pub arity: usize,
    /// Its documentation, a line for each element.
    pub doc: &'static [&'static str],
    /// When it is called, and what its arguments are.
    pub facts: CallbackFacts,
    /// What its behaviour says of it. `None` for a function that nobody calls back.
    pub of: Option<&'static Callback>,
    /// What it returns without being asked: a list of these atoms.
    pub answer: &'static [&'static str],
    /// One for each request type.
    pub clauses: &'static [ClauseEntry],
    /// What they take, if a value that is returned can have them called, as `{continue, Continue}`
    /// can.
    pub taken: &'static [Taken],
}

/// A module, submitted by its attribute macro.
pub struct ModuleEntry {
    /// Name of the Erlang module.
    pub name: &'static str,
    /// The protocol of Elixir's that it implements, and for what.
    pub protocol: Option<(&'static str, &'static str)>,
    /// Path of the Rust type or module.
    pub rust_path: &'static str,
    /// Where its attribute is written.
    pub location: &'static Location<'static>,
    /// Its documentation, a line for each element.
    pub doc: &'static [&'static str],
    /// The behaviour that it implements. `None` if its functions are nobody's callbacks.
    pub implements: Option<Implemented>,
    /// Its callbacks or functions.
    pub callbacks: &'static [CallbackEntry],
}

/// A behaviour that a Rust type implements.
pub struct Implemented {
    /// The behaviour.
    pub behaviour: &'static Behaviour,
    /// The Rust type.
    pub type_id: fn() -> TypeId,
    /// The Erlang text of what it is started with.
    pub start_argument: fn(&mut Definitions) -> String,
    /// Whether it can be started with a term.
    pub takes: fn(&Term) -> Result<(), DecodeError>,
    /// Its state in another version of the application.
    pub version: VersionOf,
    /// The module of its children, where it says that they all are of one.
    pub child: Option<&'static str>,
    /// Whether it refuses messages that no clause takes, and goes on.
    pub refuses_bad_messages: bool,
    /// See [`Module::IS_SECRET`].
    pub is_secret: bool,
}

inventory::collect!(ModuleEntry);

impl ModuleEntry {
    /// Whether nothing outside of its callbacks shows the state.
    pub(crate) fn is_secret(&self) -> bool {
        self.implements.as_ref().is_some_and(|it| it.is_secret)
    }

    /// The implemented callback of a kind.
    pub(crate) fn callback(&self, kind: CallbackKind) -> Option<&'static CallbackEntry> {
        self.callbacks.iter().find(|it| it.facts.kind == kind)
    }

    /// `handle_info/2`: the callback of a kind, whether the module has it or not.
    pub(crate) fn label(&self, kind: CallbackKind) -> String {
        let behaviour = self.implements.iter().map(|it| it.behaviour);
        let mut known = behaviour.flat_map(|it| it.callbacks);
        let known = known.find(|it| it.facts.kind == kind);
        known.map_or_else(String::new, |it| format!("{}/{}", it.name, it.arity))
    }

    /// Whether a clause of a callback of this kind may take these arguments, if a value that is
    /// returned has it called.
    pub(crate) fn may_take(&self, kind: CallbackKind, arguments: &[&Term]) -> bool {
        let callbacks = self.callbacks.iter();
        let mut called = callbacks.filter(|it| it.facts.kind == kind);
        called.any(|callback| {
            let mut clauses = callback.taken.iter();
            clauses.any(|clause| clause.may_take(arguments))
        })
    }
}

/// The Erlang text of a module's start argument.
pub fn arguments_text<T: Module>(types: &mut Definitions) -> String {
    T::argument_type(types)
}

/// Whether a module can be started with this term.
///
/// # Errors
/// What is wrong with the term.
pub fn takes<T: Module>(argument: &Term) -> Result<(), DecodeError> {
    T::takes(argument)
}
