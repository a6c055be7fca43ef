//! What code of any process imports: `use otp_bridge::prelude::*`. The preludes of all behaviours
//! have it.
//!
//! The traits whose methods [`Cx`] has come without their names. The prelude takes no name that
//! your code may use: the atoms of return values, such as `ok`, are imported by name from
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
