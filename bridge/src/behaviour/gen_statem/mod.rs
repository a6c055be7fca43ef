//! `gen_statem`: a process that is in a state, keeps data and handles events.
//!
//! ```text
//! start_link/1     ──▶  init/1          → {ok, State, Data} | {ok, State, Data, Actions} | ignore | {stop, Reason}
//!                       callback_mode/0 → determined by the callbacks of the block
//!    (then)        ──▶  handle_start/3  → as an event
//! an event         ──▶  handle_event/4  → {next_state, NextState, NewData} | {keep_state, NewData} | … , each
//!   or                  StateName/3       also with Actions; keep_state_and_data | stop | …
//! a state entered  ──▶  the same, `enter` → as above, except for actions that only an event allows
//! the end          ──▶  terminate/3     → ignored
//! ```
//!
//! The *data* is the type with the `impl GenStatem` block under [`macro@gen_statem`]. The *state*
//! is its associated type `State`, mostly an enum. A clause is a method: the types of its first two
//! arguments say which events it handles.
//!
//! ```
//! use std::time::Duration;
//!
//! use otp_bridge::atoms::{ok, state_timeout};
//! use otp_bridge::gen_statem::prelude::*;
//! # use otp_bridge_novm as _;
//!
//! /// The state: `locked | open`
//! #[derive(Debug, Clone, PartialEq, Term)]
//! pub enum Door {
//!     Locked,
//!     Open,
//! }
//!
//! /// `{code, Text}`: whether it opened the door.
//! #[derive(Debug, Term)]
//! #[reply(bool)]
//! pub struct Code(String);
//!
//! /// The data.
//! #[derive(Debug)]
//! pub struct Lock {
//!     code: String,
//! }
//!
//! #[gen_statem]
//! impl GenStatem for Lock {
//!     type Args = String;
//!     type State = Door;
//!
//!     fn init(code: String) -> impl InitReturn<Door, Self> {
//!         (ok, Door::Locked, Lock { code })
//!     }
//!
//!     // {call, From}, {code, Text}
//!     fn handle_event(&mut self, (_, caller): (call, Caller<bool>), Code(text): Code, _: Door) -> HandleEvent<Door> {
//!         let opens = text == self.code;
//!         let answer = reply(caller, opens);
//!         if opens {
//!             next_state_actions(Door::Open, answer)
//!         } else {
//!             keep_state_actions(answer)
//!         }
//!     }
//!
//!     // enter, OldState
//!     fn handle_event_enter(&mut self, _: Door, state: Door) -> HandleEventEnter {
//!         match state {
//!             Door::Open => keep_state_actions((state_timeout, Duration::from_secs(10), "close")),
//!             Door::Locked => keep_state(),
//!         }
//!     }
//!
//!     // state_timeout, close
//!     fn handle_event(&mut self, _: state_timeout, _: Term, _: Door) -> HandleEvent<Door> {
//!         next_state(Door::Locked)
//!     }
//! }
//! ```
//!
//! The data stays in its process, and callbacks change it through `&mut self`. Where OTP's forms
//! contain `NewData`, the data as the callback has left it is used.
//!
//! # Callback modes
//!
//! The callbacks that you write determine `callback_mode/0`. `handle_event` means
//! `handle_event_function`; functions under `#[state_name]`, one for each state, mean
//! `state_functions`. `handle_event_enter`, or functions under `#[state_name_enter]`, add
//! `state_enter`. In the mode `state_functions` a method has the name of its state, or the
//! attribute names the state: `#[state_name("half-open")]`.
//!
//! ```
//! # use otp_bridge::atoms::ok;
//! # use otp_bridge::gen_statem::prelude::*;
//! # use otp_bridge_novm as _;
//! # #[derive(Debug, Clone, PartialEq, Term)] pub enum Level { Off, On }
//! # #[derive(Debug, Term)] pub struct Push;
//! # #[derive(Debug)] pub struct Switch { pushes: u64 }
//! #[gen_statem]
//! impl GenStatem for Switch {
//!     type Args = ();
//!     type State = Level;
//!
//!     fn init(_: ()) -> impl InitReturn<Level, Self> {
//!         (ok, Level::Off, Switch { pushes: 0 })
//!     }
//!
//!     #[state_name_enter]
//!     fn off(&mut self, _: Level) -> StateNameEnter {
//!         keep_state()
//!     }
//!
//!     #[state_name]
//!     fn off(&mut self, _: cast, _: Push) -> StateName<Level> {
//!         next_state(Level::On)
//!     }
//!
//!     #[state_name_enter]
//!     fn on(&mut self, _: Level) -> StateNameEnter {
//!         self.pushes += 1;
//!         keep_state()
//!     }
//!
//!     #[state_name]
//!     fn on(&mut self, _: cast, _: Push) -> StateName<Level> {
//!         next_state(Level::Off)
//!     }
//! }
//! ```
//!
//! # The start
//!
//! `handle_start` is called with the arguments of `init` and the first state, after `init` and the
//! enter call of that state have returned, and before any other event. It has the return values of
//! a clause for an event. OTP does not have this callback; the machine's Erlang module calls it for
//! an event `internal`.
//!
//! # Timeouts
//!
//! A timeout is an action, a tuple as in Erlang:
//! `(state_timeout, Duration::from_secs(10), "close")`. Write the event timeout as
//! `(atoms::timeout, …)`, because the prelude has `timeout`, like `call`, `cast`, `info` and
//! `internal`, only as a type. [`timeout_named`] and [`cancel_timeout`] make the actions of
//! timeouts with a name. A program with a timeout or `next_event` compiles only if the machine has
//! a clause for its event.
//!
//! # Clients
//!
//! [`Machine`] is a reference that accepts only events that the machine has a clause for. Pass it
//! to [`Cx::call`](crate::Cx::call) and [`Cx::cast`](crate::Cx::cast) like a
//! [`Server`](crate::gen_server::Server).

mod action;
mod check;
#[doc(hidden)]
pub mod effects;
mod machine;

pub use crate::generated::gen_statem::*;
pub use action::{cancel_timeout, next_event, reply, timeout_named};
pub use machine::Machine;
pub use otp_bridge_macros::gen_statem;

/// Names of event types, for the arguments of clauses. They are types only, so that your variables
/// can have these names.
#[allow(non_camel_case_types)]
mod event_types {
    use crate::atoms;

    /// `call`, in `(call, Caller<Reply>)`
    pub type call = atoms::call;
    /// `cast`
    pub type cast = atoms::cast;
    /// `info`
    pub type info = atoms::info;
    /// `internal`
    pub type internal = atoms::internal;
    /// `timeout`: the event timeout
    pub type timeout = atoms::timeout;
}

/// The imports of a Rust module with a state machine.
///
/// Import the atoms of return values and actions, such as `ok`, `postpone` and `state_timeout`, by
/// name from [`atoms`](mod@crate::atoms).
pub mod prelude {
    pub use super::clause::{
        keep_state,
        keep_state_actions,
        keep_state_and_data,
        keep_state_and_data_actions,
        next_state,
        next_state_actions,
        repeat_state,
        repeat_state_actions,
        repeat_state_and_data,
        repeat_state_and_data_actions,
        stop_and_reply,
        // As in `gen_server`. For OTP's bare `stop`, write `stop(normal)`.
        stop_reason as stop,
    };
    pub use super::event_types::*;
    pub use super::{
        Action, CodeChange, CodeChangeReturn, EnterAction, EventType, GenStatem, HandleEvent,
        HandleEventEnter, HandleEventEnterReturn, HandleEventReturn, HandleStart,
        HandleStartReturn, Init, InitReturn, Machine, ReplyAction, StateNameEnter,
        StateNameEnterReturn, StateNameResult as StateName, StateNameReturn, TerminateReason,
        TimeoutAction, cancel_timeout, gen_statem, next_event, reply, timeout_named,
    };
    pub use crate::Downgrade;
    pub use crate::prelude::*;
}
