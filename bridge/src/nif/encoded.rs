//! The result of a NIF.
#![allow(unsafe_code)]

use super::RawTerm;

/// A term on the heap of the running NIF call, which returns it next.
#[derive(Debug, Clone, Copy)]
pub struct Encoded(pub(crate) RawTerm);

// SAFETY: this is a word. A future completes with it in the poll that created it, so it never
// reaches another thread. The bound is required only because the future could.
unsafe impl Send for Encoded {}

impl Encoded {
    /// A placeholder, where no VM takes the result.
    #[must_use]
    pub(crate) fn without_vm() -> Self {
        Encoded(RawTerm::default())
    }
}
