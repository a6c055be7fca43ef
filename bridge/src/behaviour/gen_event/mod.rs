//! `gen_event`: event handlers in the process of a manager.
//!
//! ```text
//! add_handler/3  ──▶  init/1          → {ok, State} | {ok, State, hibernate} | {error, Reason}
//! notify/2       ──▶  handle_event/2  → {ok, NewState} | {ok, NewState, hibernate} | {swap_handler, …} | remove_handler
//! call/3         ──▶  handle_call/2   → {ok, Reply, NewState} | … | {remove_handler, Reply}
//! Pid ! Message  ──▶  handle_info/2   → as handle_event/2
//! the end        ──▶  terminate/2     → what delete_handler/3 returns
//! ```
//!
//! A manager is a process that runs OTP's own code, without a module of the application: put
//! [`Manager::child_spec`] into a supervisor. A handler is a type with an `impl GenEvent` block
//! under [`macro@gen_event`]; a value of the type is the handler's state.
//! [`Cx::add_handler`](crate::Cx::add_handler) adds it. Every event reaches every handler, so a
//! handler has clauses for the events that it knows, and a clause with a [`Term`](enum@crate::Term)
//! for all others. A handler without a clause of `handle_event` does not compile.
//!
//! ```
//! use otp_bridge::atoms::ok;
//! use otp_bridge::gen_event::prelude::*;
//! # use otp_bridge_novm as _;
//!
//! /// Counts sales.
//! #[derive(Debug)]
//! pub struct Sales(u64);
//!
//! /// `{sold, Number}`
//! #[derive(Debug, Term)]
//! pub struct Sold(u64);
//!
//! /// `total`
//! #[derive(Debug, Term)]
//! #[reply(u64)]
//! pub struct Total;
//!
//! #[gen_event]
//! impl GenEvent for Sales {
//!     type InitArgs = ();
//!
//!     fn init(_: ()) -> impl InitReturn<Self> {
//!         (ok, Sales(0))
//!     }
//!
//!     fn handle_event(&mut self, Sold(number): Sold) -> impl HandleEventReturn {
//!         self.0 += number;
//!         ok
//!     }
//!
//!     fn handle_event(&mut self, _: Term) -> impl HandleEventReturn {
//!         ok
//!     }
//!
//!     fn handle_call(&mut self, _: Total) -> impl HandleCallReturn<u64> {
//!         (ok, self.0)
//!     }
//! }
//! ```
//!
//! The state stays in its process, so return values do not contain it: `ok` stands for OTP's
//! `{ok, NewState}`. After `remove_handler`, `terminate/2` still gets the state.

#[doc(hidden)]
pub mod effects;
mod manager;

pub use crate::generated::gen_event::*;
pub use manager::{Manager, ManagerRequests};
pub use otp_bridge_macros::gen_event;

/// The imports of a Rust module with an event handler.
///
/// Import the atoms of return values, such as `ok`, by name from [`atoms`](mod@crate::atoms).
pub mod prelude {
    pub use super::clause::{
        handle_call_ok, handle_call_ok_with, handle_call_remove_handler, handle_call_swap_handler,
        ok_with, remove_handler, swap_handler,
    };
    pub use super::{
        CodeChange, CodeChangeReturn, GenEvent, HandleCall, HandleCallReturn, HandleEvent,
        HandleEventReturn, HandleInfo, HandleInfoReturn, Init, InitReturn, Manager, TerminateArgs,
        gen_event,
    };
    pub use crate::Downgrade;
    pub use crate::prelude::*;
}
