//! The library's part of an upgrade: a state moves from the library that created it to another one
//! as a term.
//!
//! Its callers are the NIFs of the same names. It knows nothing about the other library.

pub(super) mod older;
#[cfg(feature = "tokio")]
pub(crate) mod run_time;
pub(super) mod version;
