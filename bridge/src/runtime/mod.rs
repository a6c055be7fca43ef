//! Running callbacks: a process's cell, the calls of its callbacks, and the operations they await.
//!
//! ```text
//! entry ── invocation ── running ── step ──▶ the generated library module
//!              │            │
//!              └── cell: state_slot, future_slot, context ── exchange, wake
//! ```

mod accounting;
mod caller;
mod cell;
mod codec;
mod context;
mod entry;
mod exchange;
mod exit;
mod future_slot;
mod invocation;
mod limits;
mod operation;
mod panics;
pub(crate) mod protocol;
mod registry;
mod report;
mod returned;
mod running;
mod state_slot;
mod step;
mod suspicion;
mod wake;
mod work;

pub use caller::{Caller, IsCaller, waits_for};
pub use codec::{CodecOfTerms, NoCodec, Probe};
pub use context::Cx;
pub use entry::entry;
pub use exit::{Class, Exit, ExitOf, Result, TermReturn};
pub use invocation::{Invocation, OnState, Stateless};
pub use operation::{Await, Failure, Operation};
pub use registry::{
    Accepts, Answers, Behaviour, Callback, CallbackEntry, Clause, Form, Module, ModuleEntry, Sign,
    Signature, StartFunction, Started, arguments_text, type_of_state,
};
pub use returned::{Encoded, Outcome, Returned, finish, finish_term, keep};
pub use state_slot::{StateCodec, check_state_size};
pub use work::{OnScheduler, Plain, Starter, Work, dirty_cpu, dirty_io, map};

/// A type under another name. A macro uses it to give a type the span of another token.
pub type Same<T> = T;

pub(crate) use context::{Here, OwnedCall};
pub(crate) use exchange::Action;
