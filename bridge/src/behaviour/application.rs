//! `application`: what is done before the processes of an application start, and after they have
//! ended.
//!
//! ```text
//! application:start/1  ──▶  start/2  → {ok, Pid} | {ok, Pid, State} | {error, Reason}
//! application:stop/1   ──▶  stop/1   → ignored
//! ```
//!
//! An application does not need such a module. Without one, its root supervisor is started with the
//! command line. With one, `start/2` is given the command line and starts the root supervisor
//! itself. `stop/1` gets a value of the type that has the `impl Application` block under
//! [`macro@application`]: return it from `start/2`. If that returns `{ok, Pid}` alone, `stop/1` is
//! not called.
//!
//! ```
//! use otp_bridge::application::prelude::*;
//! use otp_bridge::atoms::ok;
//! # use otp_bridge::supervisor;
//! # use otp_bridge_novm as _;
//! # pub struct Stroot;
//! # #[supervisor::supervisor]
//! # impl supervisor::Supervisor for Stroot {
//! #     type Args = Vec<String>;
//! #     fn init(_: Vec<String>) -> impl supervisor::InitReturn { (ok, (supervisor::SupFlags::one_for_one(), vec![])) }
//! # }
//!
//! /// Kept while the application runs.
//! #[derive(Debug)]
//! pub struct Shop;
//!
//! #[application]
//! impl Application for Shop {
//!     /// The command line of `cargo otp run -- …`.
//!     type StartArgs = Vec<String>;
//!
//!     async fn start(_: StartType, arguments: Vec<String>, cx: &Cx<'_>) -> Result<impl StartReturn<Self>> {
//!         let root = cx.start_link_registered::<Stroot>(arguments).await?;
//!         Ok((ok, root.pid()?, Shop))
//!     }
//!
//!     fn stop(&mut self) -> Atom {
//!         ok.into()
//!     }
//! }
//! ```

pub use crate::generated::application::*;
pub use otp_bridge_macros::application;

/// What a Rust module with an application's callbacks imports.
pub mod prelude {
    pub use super::{Application, Start, StartReturn, StartType, application};
    pub use crate::{Atom, Cx, Exit, FromTerm, Pid, Result, Term, Timeout, ToTerm};
}
