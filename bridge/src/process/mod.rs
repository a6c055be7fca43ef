//! What a callback can do in its process: wait for operations, send, end.

mod arguments;
mod cx;
mod exit;
mod operation;

pub use arguments::Arguments;
pub use cx::Cx;
pub use exit::{Class, Exit, Result, TermReturn};
pub use operation::{Await, Operation};

pub(crate) use operation::{Apply, Send, Sleep, Yield};

use crate::vm::Encoded;

/// What a callback's future ends with: its return value, encoded, or the exit it asks for.
pub type Outcome = Result<Encoded, Exit>;
