//! `supervisor`: starts processes, in order, and restarts them when they end.
//!
//! ```text
//! start_link/1,2  ──▶  init/1  → {ok, {SupFlags, [ChildSpec]}} | ignore
//! ```
//!
//! A supervisor is a type without a state, with an `impl Supervisor` block under
//! [`macro@supervisor`].
//!
//! ```
//! # use otp_bridge::gen_server::{self, GenServer};
//! # use otp_bridge_novm as _;
//! use otp_bridge::atom;
//! use otp_bridge::atoms::{ok, transient};
//! use otp_bridge::supervisor::prelude::*;
//! # #[derive(Debug)]
//! # struct Counter;
//! # #[gen_server::gen_server]
//! # impl GenServer for Counter {
//! #     type Args = u64;
//! #     fn init(_: u64) -> impl gen_server::InitReturn<Self> {
//! #         (ok, Counter)
//! #     }
//! # }
//!
//! /// Starts and restarts the counters.
//! pub struct Counters;
//!
//! #[supervisor]
//! impl Supervisor for Counters {
//!     type Args = ();
//!
//!     fn init(_: ()) -> impl InitReturn {
//!         let first = ChildSpec::of::<Counter>(0).registered(atom!("first"));
//!         let second = ChildSpec::of::<Counter>(100).id(atom!("second")).restart(transient);
//!         (ok, (SupFlags::one_for_one().intensity(1).period(5), vec![first, second]))
//!     }
//! }
//! ```
//!
//! [`ChildSpec::of`] takes the argument of the child's `init`. An argument of another type does not
//! compile. If OTP would refuse the flags and children, for example because two children have one
//! id, the supervisor ends with the reason `{bad_return_value, Text}`, which contains the line of
//! `init`.

mod check;
mod child_spec;
mod child_start;
mod children;
mod client;
mod dynamic;
mod isolation;
mod results;
mod sup_flags;

pub use crate::generated::supervisor::*;
pub use children::{
    AnyChild, ChildCount, ChildInfo, ChildProcess, ChildType, Dynamic, HasChildren, NameOfChild,
    Static,
};
pub use client::ChildRequests;
pub use dynamic::{ChildrenOf, DynamicSupervisor};
pub use isolation::Isolation;
pub use otp_bridge_macros::supervisor;

/// The imports of a Rust module with a supervisor.
///
/// Import the atoms of return values and options, such as `ok` and `transient`, by name from
/// [`atoms`](mod@crate::atoms).
pub mod prelude {
    pub use super::{
        AutoShutdown, ChildCount, ChildInfo, ChildProcess, ChildSpec, DynamicSupervisor, Init,
        InitReturn, Isolation, Restart, Shutdown, Strategy, SupFlags, Supervisor, Worker,
        supervisor,
    };
    pub use crate::prelude::*;
    pub use crate::start::StartOptions;
}
