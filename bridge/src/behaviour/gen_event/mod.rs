//! `gen_event`: handlers of events, in the process of a manager.
//!
//! ```text
//! add_handler/3  ──▶  init/1          → {ok, State} | {ok, State, hibernate} | {error, Reason}
//! notify/2       ──▶  handle_event/2  → {ok, NewState} | {ok, NewState, hibernate} | {swap_handler, …} | remove_handler
//! call/3         ──▶  handle_call/2   → {ok, Reply, NewState} | … | {remove_handler, Reply}
//! Pid ! Message  ──▶  handle_info/2   → as handle_event/2
//! the end        ──▶  terminate/2     → what delete_handler/3 returns
//! ```
//!
//! A manager is a process of OTP's own, without a module of the application: put
//! [`Manager::child_spec`] into a supervisor. A handler is a type, its state, with an
//! `impl GenEvent` block under [`macro@gen_event`]; it is added with
//! [`Cx::add_handler`](crate::Cx::add_handler). Every event reaches every handler, so a handler has
//! clauses for what it knows and one of [`Term`](enum@crate::Term) for the rest.
//!
//! ```
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
//!     fn handle_event(self, Sold(number): Sold) -> impl HandleEventReturn<Self> {
//!         (ok, Sales(self.0 + number))
//!     }
//!
//!     fn handle_event(self, _: Term) -> impl HandleEventReturn<Self> {
//!         (ok, self)
//!     }
//!
//!     fn handle_call(self, _: Total) -> impl HandleCallReturn<u64, Self> {
//!         (ok, self.0, self)
//!     }
//! }
//! ```
//!
//! `remove_handler` and `{remove_handler, Reply}` do not mention the state, which `terminate/2` is
//! given next: return `remove_handler(self)`, or [`Keeping(…, self)`](crate::Keeping).

mod manager;

pub use crate::generated::gen_event::*;
pub use manager::Manager;
pub use otp_bridge_macros::gen_event;

/// What a module with an event handler wants in scope.
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
    pub use crate::atoms::{hibernate, ok};
    pub use crate::{
        Atom, Cx, Exit, FromTerm, Keeping, Pid, Request, Result, Term, Timeout, ToTerm,
    };
}
