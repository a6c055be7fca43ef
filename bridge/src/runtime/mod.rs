//! Running callbacks: a process's cell, the calls of its callbacks, and the operations they await.
//!
//! ```text
//! entry ── invocation ── running ── step ──▶ the generated library module
//!              │            │
//!              └── cell: state_slot, future_slot, context ── exchange, wake
//! ```
//!
//! `version` has what an upgrade asks of a library: a state goes from the library that has made it to another one as a term.

mod accounting;
mod application;
mod at_most;
mod bad_message;
mod bounded;
mod builds;
mod call_clock;
mod caller;
mod cell;
mod checks;
mod codec;
mod consequence;
mod context;
#[cfg(feature = "coverage")]
mod coverage;
mod cut;
mod ending;
mod entry;
pub mod environment;
mod exchange;
mod exit;
mod forgotten;
mod frame;
mod function;
mod future_slot;
mod helper;
mod holders;
mod ignored;
mod inbound;
mod invocation;
mod kept_cell;
mod lent;
mod level;
mod limits;
mod long_callbacks;
mod natives;
mod operation;
#[cfg(feature = "output")]
#[cfg_attr(
    not(any(feature = "log", feature = "tracing")),
    expect(
        dead_code,
        reason = "without the two, texts are printed and nothing is logged"
    )
)]
pub(crate) mod output;
#[cfg(not(feature = "output"))]
#[path = "no_output.rs"]
pub(crate) mod output;
mod panics;
mod parcels;
pub(crate) mod protocol;
mod refusal;
mod registry;
mod report;
mod returned;
mod running;
mod second_panic;
mod slice;
mod spawned;
mod state_slot;
mod step;
mod suspicion;
mod tasks;
mod version;
mod vm_tests;
mod wake;
mod work;

pub use application::Application;
#[cfg(feature = "output")]
pub(crate) use application::library_module;
pub use caller::{Caller, IsCaller, waits_for};
pub use checks::{
    Functions, Known, Taken, Unknown, check_function, check_functions, check_reached, takes_atom,
};
pub use codec::{ArgumentOfTerms, CodecOfTerms, NoArgument, NoCodec, Probe};
pub use consequence::{Consequence, Inconsequential};
pub use context::Cx;
pub use environment::Env;
pub use exit::{Class, Exit, ExitOf, Result, TermReturn};
pub use function::{
    OkOrReason, Received, UnitOrError, is_argument, is_lent_argument, is_result, is_sent_argument,
};
pub use ignored::{Ignorable, Ignored};
pub use invocation::{Invocation, OnState, Stateless};
pub use lent::{Argument, Lent};
#[cfg(any(feature = "log", feature = "tracing"))]
pub(crate) use level::follow_level;
pub(crate) use operation::Origin;
pub use operation::{Await, Failure, Ongoing, Operation, WhenDropped};
pub use refusal::{Always, Asked, ByValue, Refusable};
#[cfg(feature = "nifs")]
pub use registry::NativeModule;
pub use registry::{
    Accepts, Answers, Behaviour, Callback, CallbackEntry, CallbackFacts, CallbackKind, Clause,
    ClauseStandIn, Form, Implemented, Module, ModuleEntry, ReplyPosition, ResourceEntry, Sign,
    Signature, StartFunction, Started, arguments_text, takes, type_of_state,
};
pub use returned::{Encoded, Outcome, Returned, finish, finish_term, keep};
pub use spawned::{AnyBody, Body, any_body};
pub use state_slot::{StateCodec, check_state_size};
pub use version::VersionOf;
pub use vm_tests::{TestEntry, TestReturn};
pub use work::{OnScheduler, Plain, Starter, Work, dirty_cpu, dirty_io, map};

/// A type under another name. A macro uses it to give a type the span of another token.
pub type Same<T> = T;

pub(crate) use caller::leaving_callers_alone;
pub(crate) use consequence::consequences;
pub(crate) use context::{Here, OwnedCall};
pub(crate) use exchange::{Action, Answer};
pub(crate) use forgotten::{is_final, take_without_vm};
pub(crate) use ignored::MayBeIgnored;
pub(crate) use invocation::{NotReturned, OwnedInvocation, caught};
pub(crate) use kept_cell::KeptCell;
pub(crate) use limits::message as message_limit;
pub(crate) use panics::note_locations;
pub(crate) use parcels::Errand;
pub(crate) use registry::{Registry, behaviour_of};
pub(crate) use spawned::closure;
pub(crate) use tasks::{Guarded, TasksOfCall};
