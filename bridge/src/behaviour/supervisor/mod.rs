//! `supervisor`: starts processes, in order, and restarts them when they end.
//!
//! ```text
//! start_link/2,3  ──▶  init/1  → {ok, {SupFlags, [ChildSpec]}} | ignore
//! ```
//!
//! A supervisor is a type without a state, with an `impl Supervisor` block under
//! [`macro@supervisor`].

mod child_spec;
mod sup_flags;

pub use crate::generated::supervisor::*;
pub use otp_bridge_macros::supervisor;

/// What a module with a supervisor wants in scope.
pub mod prelude {
    pub use super::{
        AutoShutdown, ChildSpec, Init, InitReturn, Restart, Shutdown, Strategy, SupFlags,
        Supervisor, Worker, supervisor,
    };
    pub use crate::atoms::{
        all_significant, any_significant, brutal_kill, ignore, infinity, never, ok, permanent,
        temporary, transient,
    };
    pub use crate::{Atom, Cx, Exit, Pid, Result, Term, Timeout};
}
