//! Imports for the code of any process: `use otp_bridge::prelude::*`. The preludes of all
//! behaviours include it.
//!
//! It imports the traits that give [`Cx`] its methods, but not their names, so that it takes no
//! name that your code may use. Import the atoms of return values, such as `ok`, by name from
//! [`atoms`](mod@crate::atoms).

pub use super::gen_event::ManagerRequests as _;
pub use super::gen_server::{PendingRequest, Server};
pub use super::start::Start as _;
pub use super::supervisor::ChildRequests as _;
pub use crate::process::{Nodes as _, OrExit as _, Signals as _, SpawnProcess as _};
pub use crate::task::Tasks as _;
pub use crate::time::Timers as _;
pub use crate::{
    Atom, Binary, Caller, Cx, Exit, FromTerm, Integer, Name, Pid, Request, Result, Sender, Term,
    Timeout, ToTerm, atom,
};
