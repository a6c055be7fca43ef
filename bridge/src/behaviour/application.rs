//! `application`: hooks for the start and stop of an application: before its processes start, after
//! they have started, before they are stopped and after they have ended.
//!
//! ```text
//! application:start/1  ──▶  start/2        → {ok, Pid} | {ok, Pid, State} | {error, Reason}
//! for each phase       ──▶  start_phase/3  → ok | {error, Reason}
//! application:stop/1   ──▶  prep_stop/1    → NewState
//!    (processes end)   ──▶  stop/1         → ignored
//! release upgrade      ──▶  config_change/3 → ok
//! ```
//!
//! An application does not need such a module. Without one, its root supervisor starts with the
//! command line as its argument. With one, OTP calls `start/2` with the command line, and `start/2`
//! starts the root supervisor itself. `stop/1` gets a value of the type that has the
//! `impl Application` block under [`macro@application`]: return it from `start/2`. If `start/2`
//! returns `{ok, Pid}` alone, `stop/1` is not called.
//!
//! | callback | when | arguments |
//! |---|---|---|
//! | `start` | first | how it is started, and the command line |
//! | `start_phase` | when the root supervisor has started: once for each phase of `[application] start_phases` in otp.toml, in that order | the phase, how it is started, the arguments of the phase |
//! | `prep_stop` | before the root supervisor is stopped, or after it has ended | |
//! | `stop` | when all processes have ended | |
//! | `config_change` | when a release upgrade has changed the environment | keys with new values, new keys, keys that are gone |
//!
//! You may leave out every callback but `start` and `stop`. A phase is an atom, so the type of a
//! clause's first argument is a unit struct; `cargo otp build` compares the clauses with otp.toml.
//! If a phase returns `(error, reason)` or ends with an exception, the application does not start.
//! `prep_stop` and `stop` need a state. OTP does not call them for an application that another one
//! includes.
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
//! /// The state of the application.
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
//!         Ok((ok, root, Shop))
//!     }
//!
//!     /// `start_phases = [{ fill = 1000 }]` in otp.toml.
//!     fn start_phase(Fill: Fill, _: StartType, count: u64) -> impl StartPhaseReturn {
//!         println!("filled with {count}");
//!         ok
//!     }
//!
//!     fn prep_stop(&mut self) {
//!         println!("takes nothing more");
//!     }
//!
//!     fn stop(&mut self) -> Atom {
//!         ok.into()
//!     }
//! }
//!
//! /// `fill`
//! #[derive(Debug, Term)]
//! pub struct Fill;
//! ```

pub use crate::generated::application::*;
pub use otp_bridge_macros::application;

/// The imports of a Rust module with an application's callbacks.
pub mod prelude {
    pub use super::{
        Application, ConfigChange, ConfigChangeReturn, ParVal, PrepStop, PrepStopReturn, Start,
        StartPhase, StartPhaseReturn, StartReturn, StartType, application,
    };
    pub use crate::prelude::*;
}
