//! Errors of JSON that does not represent a value of the type

use serde_json::Value;

use crate::term::{Bound, DecodeError, ErlangType};

/// How long the text of the offending JSON may be, in characters.
const GOT_LIMIT: usize = 200;

/// `json` is not the representation of a value of type `T`.
#[cold]
#[must_use]
pub fn expected<T: ErlangType>(json: &Value) -> DecodeError {
    expected_text(T::erlang_type(), json)
}

/// `json` may be of type `T`, but the Rust type does not hold it.
#[cold]
pub(super) fn beyond<T: ErlangType>(bound: &Bound, json: &Value) -> DecodeError {
    expected_text(bound.text::<T>(), json).at_bound()
}

/// `json` is not the representation of a value of the type with this text.
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
