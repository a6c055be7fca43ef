//! The outcome of a callback.

use crate::nif::Encoded;
use crate::runtime::failure::exit::Exit;

/// The outcome of a callback: its return value, encoded, or its exit.
pub type Outcome = Result<Encoded, Exit>;
