//! What an upgrade asks of a library: a state goes from the library that has made it to another one
//! as a term.
//!
//! Called from outside: by the NIFs of the same names. It knows nothing of the other library.

#[cfg(feature = "tokio")]
pub(crate) mod run_time;
pub(super) mod version;
