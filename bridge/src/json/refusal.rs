//! What is said of JSON that is no view of a value of the type

use serde_json::Value;

use crate::term::{DecodeError, ErlangType};

/// How long the text of the offending JSON may be, in characters.
const GOT_LIMIT: usize = 200;

/// `json` is no view of a value of type `T`.
#[cold]
#[must_use]
pub fn expected<T: ErlangType>(json: &Value) -> DecodeError {
    expected_text(T::erlang_type(), json)
}

/// `json` is no view of a value of the type with this text.
#[cold]
pub(super) fn expected_text(text: impl Into<String>, json: &Value) -> DecodeError {
    let got = json.to_string();
    let cut = got.char_indices().nth(GOT_LIMIT).map(|(place, _)| place);
    let got = match cut {
        Some(place) => format!("{}...", &got[..place]),
        None => got,
    };
    DecodeError::new(text, got)
}
