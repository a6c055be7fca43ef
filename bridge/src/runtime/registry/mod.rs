//! The Erlang modules of a library, with the Rust type or Rust module of each.
//!
//! Its callers are generated code, which describes callbacks and their clauses, and code that looks
//! one up. It knows the name and the types of a clause, but not how it runs.

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

use crate::nif::Encoded;
use crate::{Atom, DecodeError, Definitions, Pid, Term};
pub use behaviour::{
    Behaviour, Callback, CallbackFacts, CallbackKind, ReplyPosition, StartFunction,
};
pub use clause_scheduler::ClauseScheduler;
pub(crate) use itself::Itself;
pub(crate) use lookup::{CallbackClauses, LibraryModules, behaviour_of};
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
pub use version_of::{OlderEntry, VersionOf};

/// A Rust type that is an Erlang callback module. Implemented by the behaviours' attribute macros.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an Erlang module",
    label = "write an `impl` block under a behaviour's attribute, such as `#[gen_server]`, for the type"
)]
pub trait Module: Sized + 'static {
    /// Name of the Erlang module.
    const NAME: &'static str;
    /// The behaviour that it implements.
    const BEHAVIOUR: &'static Behaviour;

    /// Whether the state is visible to its callbacks only: `#[gen_server(secret)]`.
    const IS_SECRET: bool = false;

    /// The type of the start argument: a term, as the behaviour's own trait requires.
    type Args;

    /// The type itself, with the bound `Send`, because a process and its state move between
    /// scheduler threads. As a bound of the trait itself, a violation of `Send` would be reported
    /// wherever the trait is named.
    #[doc(hidden)]
    type Moved: Itself<Self> + Send;

    /// Returns the term of the start argument.
    fn argument(arguments: &Self::Args) -> Term;

    /// Returns the Erlang text of the start argument's type.
    fn argument_type(types: &mut Definitions) -> String;

    /// Checks whether the module can be started with this term.
    ///
    /// # Errors
    /// The mistake in the term.
    fn takes(argument: &Term) -> Result<(), DecodeError>;

    /// Checks whether a term has the type that its callbacks pass to each other, such as the state
    /// of a `gen_statem`.
    ///
    /// # Errors
    /// The mistake in the term.
    #[doc(hidden)]
    fn takes_chosen(term: &Term) -> Result<(), DecodeError> {
        let _ = term;
        Ok(())
    }

    /// Returns [`Module::NAME`] as a term.
    fn atom() -> &'static Atom;

    /// Writes the state as crash reports show it. Writes nothing for behaviours without a state and
    /// for secret states.
    ///
    /// # Errors
    /// The writer's errors.
    fn describe_state(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        let _ = out;
        Ok(())
    }

    /// Returns the conversions between the state and its term, if its type is a term.
    fn state_codec() -> Option<StateCodec<Self>> {
        None
    }

    /// Returns its clauses of `code_change` that go back to the state of an older build.
    #[doc(hidden)]
    fn older_states() -> &'static [OlderEntry] {
        &[]
    }
}

/// A module whose behaviour starts processes of it, such as a `gen_server`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a module that can be started",
    label = "write an `impl` block under the attribute of a behaviour with a `start_link`, such as `#[gen_server]`, for the type"
)]
pub trait Started: Module<Args = <Self as Started>::Arguments> {
    /// The type of the start argument: its [`Module::Args`]. It has another name here, so that the
    /// compiler reports a type that is not a module only once, as one that cannot be started.
    type Arguments;

    /// A reference to one of its processes: [`Server`](crate::gen_server::Server), or
    /// [`Machine`](crate::gen_statem::Machine) for a `gen_statem`.
    type Reference: From<Pid>;
}

/// A module whose processes can run in a VM of their own, because each is a single process with its
/// state.
#[diagnostic::on_unimplemented(
    message = "a process of `{Self}` cannot be isolated",
    label = "not a process with a state, such as that of a `gen_server`",
    note = "a supervisor stays where its own supervisor is: isolate its children"
)]
pub trait Isolated: Started {}

/// A module that has a clause for an event. `Event` has the types that distinguish clauses, such as
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

/// Stands for the layer above, which runs clauses: only that layer has the type of invocations.
pub enum Runs {}

/// Gives access to the type of invocations, which decode the arguments of a clause and run it.
pub trait InvokedBy {
    /// A call of a callback.
    type Invocation<'a>;
}

/// A clause of an implemented callback.
pub struct ClauseEntry {
    /// Runs the clause with the current arguments, and returns the answer for the VM. If the
    /// arguments do not match, it leaves everything unchanged.
    pub run: fn(&mut <Runs as InvokedBy>::Invocation<'_>) -> Result<Encoded, DecodeError>,
    /// Returns its types.
    pub signature: Sign,
    /// The types of its messages, as the source spells them.
    pub message: &'static str,
    /// Its line in the source.
    pub location: &'static Location<'static>,
    /// Returns the kind of scheduler on which it is called.
    pub scheduler: fn() -> &'static ClauseScheduler,
}

impl ClauseEntry {
    /// The entry before a clause has been tried.
    pub(crate) const NONE: ClauseEntry = ClauseEntry {
        run: |_| Ok(Encoded::without_vm()),
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
    /// Its documentation, one element for each line.
    pub doc: &'static [&'static str],
    /// When it is called, and the meaning of its arguments.
    pub facts: CallbackFacts,
    /// Its description in the behaviour. `None` for a function that is not a callback.
    pub of: Option<&'static Callback>,
    /// A list of atoms that it returns without calling a clause.
    pub answer: &'static [&'static str],
    /// Its clauses, one for each request type.
    pub clauses: &'static [ClauseEntry],
    /// The shapes that the clauses match, if a return value can trigger the callback, as
    /// `{continue, Continue}` can.
    pub taken: &'static [Taken],
}

/// A module, submitted by its attribute macro.
pub struct ModuleEntry {
    /// Name of the Erlang module.
    pub name: &'static str,
    /// The Elixir protocol that it implements, and the module that it implements the protocol for.
    pub protocol: Option<(&'static str, &'static str)>,
    /// Path of the Rust type or module.
    pub rust_path: &'static str,
    /// The line of its attribute.
    pub location: &'static Location<'static>,
    /// Its documentation, one element for each line.
    pub doc: &'static [&'static str],
    /// The behaviour that it implements. `None` for a module with functions only.
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
    /// Returns the Erlang text of the start argument's type.
    pub start_argument: fn(&mut Definitions) -> String,
    /// Checks whether it can be started with a term.
    pub takes: fn(&Term) -> Result<(), DecodeError>,
    /// The functions of its state that an upgrade uses.
    pub version: VersionOf,
    /// The module of its children, if all of them are of one module.
    pub child: Option<&'static str>,
    /// Whether it refuses messages that no clause matches, and continues.
    pub refuses_bad_messages: bool,
    /// See [`Module::IS_SECRET`].
    pub is_secret: bool,
}

inventory::collect!(ModuleEntry);

impl ModuleEntry {
    /// Returns whether the state is visible to its callbacks only.
    pub(crate) fn is_secret(&self) -> bool {
        self.implements.as_ref().is_some_and(|it| it.is_secret)
    }

    /// Returns the implemented callback of a kind.
    pub(crate) fn callback(&self, kind: CallbackKind) -> Option<&'static CallbackEntry> {
        self.callbacks.iter().find(|it| it.facts.kind == kind)
    }

    /// Returns the name of the callback of a kind, such as `handle_info/2`, whether or not the
    /// module has it.
    pub(crate) fn label(&self, kind: CallbackKind) -> String {
        let behaviour = self.implements.iter().map(|it| it.behaviour);
        let mut known = behaviour.flat_map(|it| it.callbacks);
        let known = known.find(|it| it.facts.kind == kind);
        known.map_or_else(String::new, |it| format!("{}/{}", it.name, it.arity))
    }

    /// Returns whether a clause of a callback of this kind may match these arguments. This is known
    /// for callbacks that a return value can trigger.
    pub(crate) fn may_take(&self, kind: CallbackKind, arguments: &[&Term]) -> bool {
        let callbacks = self.callbacks.iter();
        let mut called = callbacks.filter(|it| it.facts.kind == kind);
        called.any(|callback| {
            let mut clauses = callback.taken.iter();
            clauses.any(|clause| clause.may_take(arguments))
        })
    }
}

/// Returns the Erlang text of the type of a module's start argument.
pub fn arguments_text<T: Module>(types: &mut Definitions) -> String {
    T::argument_type(types)
}

/// Checks whether a module can be started with this term.
///
/// # Errors
/// The mistake in the term.
pub fn takes<T: Module>(argument: &Term) -> Result<(), DecodeError> {
    T::takes(argument)
}
