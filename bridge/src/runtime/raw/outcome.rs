//! How a callback ends.
#![allow(unsafe_code)]

use crate::nif::RawTerm;
use crate::runtime::failure::exit::Exit;

/// A term on the heap of the running NIF call, which returns it next.
#[derive(Debug, Clone, Copy)]
pub struct Encoded(pub(crate) RawTerm);

// SAFETY: this is a word. A future ends with it in the same poll that made it, so it never reaches
// another thread. The bound is required only because the future could.
unsafe impl Send for Encoded {}

/// How a callback ends: with its return value, encoded, or with the exit it asks for.
pub type Outcome = Result<Encoded, Exit>;
