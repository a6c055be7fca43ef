//! The outcome of a callback.
#![allow(unsafe_code)]

use crate::nif::RawTerm;
use crate::runtime::failure::exit::Exit;

/// A term on the heap of the running NIF call, which returns it next.
#[derive(Debug, Clone, Copy)]
pub struct Encoded(pub(crate) RawTerm);

// SAFETY: this is a word. A future completes with it in the poll that created it, so it never
// reaches another thread. The bound is required only because the future could.
unsafe impl Send for Encoded {}

/// The outcome of a callback: its return value, encoded, or its exit.
pub type Outcome = Result<Encoded, Exit>;
