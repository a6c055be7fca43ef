//! States as terms.

use crate::DecodeError;
use crate::nif::{ProcessWord, VmHeap, VmTerm};

/// How states of type `T` become terms and are read from them.
pub struct StateCodec<T> {
    /// Makes the term of a state.
    pub encode: for<'a> fn(&T, VmHeap<'a>) -> VmTerm<'a>,
    /// Reads a state from its term, for this process.
    pub(crate) decode: fn(VmTerm<'_>, ProcessWord) -> Result<T, DecodeError>,
    /// Its Erlang type, with all types in it written out.
    pub form: fn() -> String,
    /// The Erlang text of a state, cut to so many characters. `None` if its term has more than so
    /// many parts.
    pub text: fn(&T, usize, usize) -> Option<String>,
}
