//! Checks for the round trip of a value.

use std::fmt::Debug;

use otp_bridge::json::{Json, JsonRepresentation};
use otp_bridge::{Term, ToTerm};
use schemars::SchemaGenerator;
use serde_json::Value;

/// Returns the schema of a type as a separate document.
pub(crate) fn schema<T: JsonRepresentation>() -> Value {
    SchemaGenerator::default()
        .into_root_schema_for::<Json<T>>()
        .to_value()
}

/// Returns a validator for a type's JSON.
pub(crate) fn validator<T: JsonRepresentation>() -> jsonschema::Validator {
    jsonschema::draft202012::new(&schema::<T>()).expect("a good schema")
}

pub(crate) fn text<T: JsonRepresentation>(value: T) -> String {
    serde_json::to_string(&Json(value)).expect("JSON")
}

/// Checks that a value's JSON matches its type's schema, and that the value, the JSON and the term
/// can each be created from the others.
#[track_caller]
pub(crate) fn there_and_back<T: JsonRepresentation + Debug>(
    validator: &jsonschema::Validator,
    value: T,
) {
    let term = Term::of(&value);
    let text = serde_json::to_string(&Json(value)).expect("JSON");
    let json: Value = serde_json::from_str(&text).expect("JSON");
    if let Err(error) = validator.validate(&json) {
        panic!("{text}: {error}");
    }
    let Json(back) = serde_json::from_str::<Json<T>>(&text)
        .unwrap_or_else(|error| panic!("{text} of {term}: {error}"));
    assert_eq!(back_to_term(&back), term, "{text}");
    let again: T = term.decode().expect("a term of the type");
    assert_eq!(serde_json::to_value(Json(again)).expect("JSON"), json);
}

fn back_to_term(value: &impl ToTerm) -> Term {
    Term::of(value)
}
