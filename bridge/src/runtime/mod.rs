//! Runs callbacks: the cell of each process, the calls of its callbacks, and the operations that
//! they await.
//!
//! ```text
//! entry ── invocation ── harness ── exchange::step ──▶ the generated library module
//!              │            │
//!              └── raw: cell, slots, context ── exchange, wake
//! ```
//!
//! The first lines of each folder's `mod.rs` describe its purpose. architecture.toml has the order
//! of their layers.

mod awaiting;
mod checks;
mod cost;
mod entry;
pub mod environment;
mod exchange;
mod failure;
mod harness;
mod invocation;
pub(crate) mod output;
pub(crate) mod protocol;
mod raw;
mod registry;
mod run_time_settings;
#[cfg(feature = "tokio")]
pub mod shared;
mod state;
mod status;
mod upgrade;

pub use awaiting::caller::{Caller, IsCaller, waits_for};
pub use awaiting::ignored::{Ignorable, Ignored};
pub(crate) use awaiting::operation::within_spans;
pub use awaiting::operation::{Await, Failure, Ongoing, Operation};
pub use checks::clauses::{
    Functions, Known, Mistakes, Unknown, are_atoms, check_functions, check_variants, first_above,
    has_other_atoms, is_covered, takes_atom,
};
pub use checks::codec::{ArgumentOfTerms, CodecOfTerms, CodecProbe, NoArgument, NoCodec};
pub use checks::effect::{Effect, NoEffect};
pub use checks::everywhere::{first_missing, take_all};
pub use checks::later::{TakesBoth, TakesLater, TakesTimer, takes_terms};
pub use checks::read_only::ReadOnly;
pub use checks::refusal::{Always, ByValue, Refusable, ReturnedField};
#[cfg(feature = "calls")]
pub use cost::observer::{CallObserver, CallOutcome, Observation, ObservedCall};
pub use entry::application::{Application, OWN_NIF_MARK};
pub use entry::vm_tests::{TestEntry, TestReturn};
pub use environment::Env;
pub use exchange::WhenDropped;
pub(crate) use failure::builds::TermOrigin;
pub use failure::exit::{Class, Exit, ExitOf, Result, TermReturn};
pub use failure::exit_kind::{ExitKind, OrExit};
pub use failure::source_location::LibrarySources;
#[cfg(any(feature = "log", feature = "tracing"))]
pub(crate) use failure::source_location::shown;
pub use harness::function::{
    UnitOrError, is_argument, is_borrowed_argument, is_result, is_sent_argument,
};
pub use harness::returned::{Returned, finish, finish_term, keep};
pub use harness::spawned::{AnyBody, Body, any_body};
pub use harness::work::{OnScheduler, Plain, Starter, Work, dirty_cpu, dirty_io, map};
pub use invocation::{Invocation, OnState, Stateless};
#[cfg(any(feature = "log", feature = "tracing"))]
pub(crate) use output::level::follow_level;
pub use raw::borrowed_argument::{Argument, BorrowedArgument};
pub use raw::context::Cx;
pub use raw::outcome::Outcome;
pub use raw::state_slot::is_large_state;
#[cfg(feature = "nifs")]
pub use registry::NativeModule;
pub use registry::{
    Accepts, Answers, Behaviour, Callback, CallbackEntry, CallbackFacts, CallbackKind, ClauseEntry,
    ClauseScheduler, ClauseStandIn, Form, Implemented, Isolated, Module, ModuleEntry, NamedProcess,
    OlderEntry, ReplyPosition, ResourceEntry, Sign, Signature, StartFunction, Started, StateCodec,
    Taken, UsedNameEntry, VersionOf, arguments_text, takes, type_of_state,
};

pub use upgrade::older::{Downgrade, OlderBuild, OlderReturn, OlderStandIn, ToOlder};

/// An alias of a type. A macro uses it to give a type the span of another token.
pub type Same<T> = T;

pub(crate) use awaiting::ignored::MayBeIgnored;
pub(crate) use checks::effect::effects;
pub(crate) use exchange::{Action, Answer, OperationId};
pub(crate) use failure::panics::{note_locations, quietly};
pub(crate) use failure::unanswered::leaving_callers_alone;
pub(crate) use failure::unanswered::{is_final, take_without_vm};
pub(crate) use harness::spawned::closure;
pub(crate) use harness::tasks::TasksOfCall;
pub(crate) use invocation::{
    ClauseFuture, NotReturned, OwnedInvocation, caller_of_message, caught,
};
pub(crate) use protocol::limits::message as message_limit;
pub(crate) use raw::context::{Here, OwnedCall};
pub(crate) use raw::guarded::Guarded;
pub(crate) use raw::outbox::{Deferred, send_deferred_from_any_thread};
pub(crate) use raw::retained_cell::RetainedCell;
pub(crate) use registry::arrival::Arrival;
#[cfg(all(feature = "tokio", feature = "tracing"))]
pub(crate) use registry::library::library_module;
pub(crate) use registry::{LibraryModules, behaviour_of};
#[cfg(feature = "tokio")]
pub(crate) use upgrade::run_time;
