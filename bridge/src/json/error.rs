//! Errors of JSON that does not represent a value of the type.

use serde_json::Value;

use crate::term::{Bound, DecodeError, ErlangType};

/// The length limit of the offending JSON's text, in characters.
const GOT_LIMIT: usize = 200;

/// Returns the error for `json` that does not represent a value of type `T`.
#[cold]
#[must_use]
pub fn expected<T: ErlangType>(json: &Value) -> DecodeError {
    expected_text(T::erlang_type(), json)
}

/// Returns the error for `json` that may be of type `T`, although the Rust type does not hold it.
#[cold]
pub(super) fn beyond<T: ErlangType>(bound: &Bound, json: &Value) -> DecodeError {
    expected_text(bound.text::<T>(), json).at_bound()
}

/// Returns the error for `json` that does not represent a value of the type with this text.
#[cold]
pub(super) fn expected_text(text: impl Into<String>, json: &Value) -> DecodeError {
    let got = json.to_string();
    let cut = got
        .char_indices()
        .nth(GOT_LIMIT)
        .map(|(position, _)| position);
    let got = match cut {
        Some(position) => format!("{}...", &got[..position]),
        None => got,
    };
    DecodeError::new(text, got)
}
