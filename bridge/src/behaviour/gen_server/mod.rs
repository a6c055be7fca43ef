//! `gen_server`: a process that keeps a state and answers requests one at a time.
//!
//! ```text
//! start_link/1  ──▶  init/1           → {ok, State} | {ok, State, Action} | {stop, Reason} | ignore
//!    (then)     ──▶  handle_start/2   → as handle_cast/2
//! call/2,3      ──▶  handle_call/3    → {reply, Reply, NewState} | {noreply, NewState} | {stop, …}
//! cast/2        ──▶  handle_cast/2    → {noreply, NewState} | {stop, Reason, NewState}
//! Pid ! Message ──▶  handle_info/2    → as handle_cast/2
//! {continue, C} ──▶  handle_continue/2 → as handle_cast/2
//! the end       ──▶  terminate/2      → ignored
//! ```
//!
//! A server is a type, its state, with an `impl GenServer` block under [`macro@gen_server`]. A
//! callback that takes a message has a clause (a method) for each message type. The type of a
//! request fixes the type of its reply, in the handler as in the client ([`crate::Request`]).
//!
//! ```
//! # use otp_bridge_novm as _;
//! use otp_bridge::atoms::ok;
//! use otp_bridge::gen_server::prelude::*;
//!
//! /// The state.
//! #[derive(Debug)]
//! pub struct Counter(u64);
//!
//! /// `{add, By}`: the new count.
//! #[derive(Debug, Term)]
//! #[reply(u64)]
//! pub struct Add(pub u64);
//!
//! /// `reset`
//! #[derive(Debug, Term)]
//! pub struct Reset;
//!
//! #[gen_server]
//! impl GenServer for Counter {
//!     type Args = u64;
//!
//!     fn init(start: u64) -> impl InitReturn<Self> {
//!         (ok, Counter(start))
//!     }
//!
//!     // gen_server:call(Counter, {add, By})
//!     fn handle_call(&mut self, Add(by): Add) -> HandleCall<u64> {
//!         self.0 += by;
//!         reply(self.0)
//!     }
//!
//!     // gen_server:cast(Counter, reset)
//!     fn handle_cast(&mut self, _: Reset) -> HandleCast {
//!         self.0 = 0;
//!         noreply()
//!     }
//! }
//! ```
//!
//! # The state
//! The state stays in its process. Callbacks work on it by `&mut self`, across awaits too, and what
//! OTP's form calls `NewState` is the state as the callback leaves it. `init` and `code_change`
//! make it, the latter of another version's state, which it is given as a term. After a panic or a
//! `?` it is still there for `terminate`.
//!
//! # The start
//! A supervisor waits until `init` has returned. `handle_start` is called with the same arguments
//! after that, and before any message: there a server may wait for siblings that are started later.
//! OTP does not have it; the server's Erlang module calls it from `handle_continue/2`. So `init`
//! returns `(ok, state)` then.
//!
//! ```
//! # use otp_bridge_novm as _;
//! # use otp_bridge::atoms::ok;
//! # use otp_bridge::gen_server::prelude::*;
//! # use otp_bridge::testing;
//! # #[derive(Debug)]
//! # pub struct Store { shelves: Vec<u64> }
//! #[gen_server]
//! impl GenServer for Store {
//!     type Args = u64;
//!
//!     fn init(_: u64) -> impl InitReturn<Self> {
//!         (ok, Store { shelves: Vec::new() })
//!     }
//!
//!     async fn handle_start(&mut self, count: u64, cx: &Cx<'_>) -> Result<HandleStart> {
//!         for shelf in 0..count {
//!             self.shelves.push(shelf);
//!             cx.checkpoint().await;
//!         }
//!         noreply()
//!     }
//! }
//!
//! let store = testing::Server::<Store>::start(3)?;
//! assert_eq!(store.state().shelves, [0, 1, 2]);
//! # Ok::<(), Exit>(())
//! ```
//!
//! # Replies
//! A clause of `handle_call` without a caller must return the reply. One that takes a [`Caller`]
//! replies through it, now or later, and returns [`HandleCallNoreply`]:
//!
//! ```
//! # use otp_bridge_novm as _;
//! # use otp_bridge::atoms::ok;
//! # use otp_bridge::gen_server::prelude::*;
//! # #[derive(Debug, Term)]
//! # #[reply(u64)]
//! # pub struct Wait;
//! # #[derive(Debug, Term)]
//! # pub struct Done(u64);
//! # #[derive(Debug)]
//! # pub struct Gate { waiting: Vec<Caller<u64>> }
//! #[gen_server]
//! impl GenServer for Gate {
//! #   type Args = ();
//! #   fn init(_: ()) -> impl InitReturn<Self> { (ok, Gate { waiting: Vec::new() }) }
//!     fn handle_call(&mut self, _: Wait, caller: Caller<u64>) -> HandleCallNoreply {
//!         self.waiting.push(caller);
//!         noreply()
//!     }
//!
//!     fn handle_cast(&mut self, Done(value): Done, cx: &Cx<'_>) -> HandleCast {
//!         for caller in self.waiting.drain(..) {
//!             caller.reply(cx, value);
//!         }
//!         noreply()
//!     }
//! }
//! ```
//!
//! # Clients
//! [`Server`] is a reference to a server, made from its name or from a [`Pid`](crate::Pid).
//! [`Cx::call`](crate::Cx::call) and [`Cx::cast`](crate::Cx::cast) take it, and only requests and
//! messages that the server has a clause for.

mod check;
mod client;
#[doc(hidden)]
pub mod effects;
mod pending_request;
mod server;
mod threads;

pub use crate::generated::gen_server::*;
pub use crate::runtime::Caller;
pub(in crate::behaviour) use client::sent_to;
pub use client::{MessageTo, RequestTo, ServerCall};
pub use otp_bridge_macros::gen_server;
pub use pending_request::PendingRequest;
pub use server::Server;

/// What a Rust module with a server imports.
///
/// The prelude takes no names that your code may use: the atoms of return values, such as `ok`, are
/// imported by name from [`atoms`](mod@crate::atoms).
pub mod prelude {
    pub use super::clause::{noreply, noreply_with, reply, reply_with, stop, stop_reply};
    pub use super::{
        CodeChange, CodeChangeReturn, GenServer, HandleCall, HandleCallNoreply,
        HandleCallNoreplyReturn, HandleCallReturn, HandleCast, HandleCastReturn, HandleContinue,
        HandleContinueReturn, HandleInfo, HandleInfoReturn, HandleStart, HandleStartReturn, Init,
        InitReturn, TerminateReason, gen_server,
    };
    pub use crate::prelude::*;
}
