//! Conversions between states and terms.

use crate::DecodeError;
use crate::nif::{ProcessWord, VmHeap, VmTerm};

/// Converts states of type `T` into terms and back.
pub struct StateCodec<T> {
    /// Builds the term of a state.
    pub encode: for<'a> fn(&T, VmHeap<'a>) -> VmTerm<'a>,
    /// Reads a state from its term, for this process.
    pub(crate) decode: fn(VmTerm<'_>, ProcessWord) -> Result<T, DecodeError>,
    /// Returns its Erlang type, with all types in it expanded.
    pub form: fn() -> String,
    /// Returns the Erlang text of a state, cut to the second number of characters. `None` if its
    /// term has more parts than the first number.
    pub text: fn(&T, usize, usize) -> Option<String>,
}
