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
//! A server is a type with an `impl GenServer` block under [`macro@gen_server`]; a value of the
//! type is the server's state. A callback that receives messages has a clause (a method) for each
//! message type. The type of a request determines the type of its reply, for the handler and for
//! the client ([`crate::Request`]).
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
//! The state stays in its process, and callbacks change it through `&mut self`, also across awaits.
//! Where OTP's forms contain `NewState`, the state as the callback has left it is used. `init`
//! creates the state, and `code_change` creates it from the state of another version, which arrives
//! as a term. After a panic or a `?` the state still exists for `terminate`.
//!
//! # The start
//! A supervisor waits until `init` has returned. If you need to wait for siblings that start later,
//! do it in `handle_start`: it is called with the arguments of `init` once `init` has returned,
//! before any message. To wait for all siblings, call `cx.which_children` of the supervisor: it
//! replies when it has started all of its children. OTP does not have this callback; the server's
//! Erlang module calls it from `handle_continue/2`. That is why `init` of a server with
//! `handle_start` returns `(ok, state)`.
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
//! [`Server`] is a reference to a server. Make one from a name or from a [`Pid`](crate::Pid).
//! [`Cx::call`](crate::Cx::call) and [`Cx::cast`](crate::Cx::cast) accept only requests and
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

/// The imports of a Rust module with a server.
///
/// The prelude takes no names that your code may use. Import the atoms of return values, such as
/// `ok`, by name from [`atoms`](mod@crate::atoms).
pub mod prelude {
    pub use super::clause::{noreply, noreply_with, reply, reply_with, stop, stop_reply};
    pub use super::{
        CodeChange, CodeChangeReturn, GenServer, HandleCall, HandleCallNoreply,
        HandleCallNoreplyReturn, HandleCallReturn, HandleCast, HandleCastReturn, HandleContinue,
        HandleContinueReturn, HandleInfo, HandleInfoReturn, HandleStart, HandleStartReturn, Init,
        InitReturn, TerminateReason, gen_server,
    };
    pub use crate::Downgrade;
    pub use crate::prelude::*;
}
