//! `supervisor_bridge`: puts a part of a system that is not an OTP process under a supervisor.
//!
//! ```text
//! start_link/2,3  ──▶  init/1       → {ok, Pid, State} | ignore | {error, Error}
//! the end         ──▶  terminate/2  → ignored
//! ```
//!
//! `init/1` starts the part and returns the process to watch. `terminate/2` stops the part. The
//! type with the `impl SupervisorBridge` block under [`macro@supervisor_bridge`] holds the values
//! that `terminate/2` needs.
//!
//! ```
//! use otp_bridge::supervisor_bridge::prelude::*;
//! # use otp_bridge_novm as _;
//!
//! /// A port program behind a process of its own.
//! #[derive(Debug)]
//! pub struct Printer(Pid);
//!
//! #[supervisor_bridge]
//! impl SupervisorBridge for Printer {
//!     type Args = ();
//!
//!     async fn init(_: (), cx: &Cx<'_>) -> Result<Init<Self>> {
//!         let pid: Pid = cx.apply("printer_port", "start", ()).await?;
//!         Ok(Init::Ok(pid.clone(), Printer(pid)))
//!     }
//!
//!     async fn terminate(&mut self, _: Term, cx: &Cx<'_>) -> Result<Atom> {
//!         cx.apply("printer_port", "stop", (&self.0,)).await
//!     }
//! }
//! ```

pub use crate::generated::supervisor_bridge::*;
pub use otp_bridge_macros::supervisor_bridge;

/// The imports of a Rust module with a supervisor bridge.
pub mod prelude {
    pub use super::{Init, InitReturn, SupervisorBridge, TerminateReason, supervisor_bridge};
    pub use crate::prelude::*;
}
