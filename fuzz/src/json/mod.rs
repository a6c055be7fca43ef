//! Reads JSON as types of every kind.

mod change;

use std::fmt::Debug;

use otp_bridge::json::{JsonRepresentation, Position};
use otp_bridge::term::DecodeError;
use otp_bridge::{FromTerm, Term};
use serde_json::Value;

pub use change::{learn, mutate};

use crate::derived;
use crate::typed::{Typed, terms_of};

/// A Rust type with a function that reads JSON as this type.
#[derive(Clone, Copy)]
pub struct Represented {
    typed: Typed,
    /// Reads the JSON, and checks that the value keeps all of it. Returns whether the JSON
    /// represents a value.
    read: fn(&Value) -> bool,
    /// Returns the JSON of a term of the type.
    write: fn(&Term) -> Option<Value>,
}

impl Represented {
    /// A type.
    #[must_use]
    pub const fn of<T: JsonRepresentation + Debug>(name: &'static str) -> Self {
        Represented {
            typed: Typed::of::<T>(name),
            read: read::<T>,
            write: |term| Some(term.decode::<T>().ok()?.to_json(Position::Alone)),
        }
    }
}

/// Reads the JSON as a value of the type. Checks that the value, its JSON and its term can be
/// converted into each other, and that equal values have equal JSON.
fn read<T: JsonRepresentation + Debug>(json: &Value) -> bool {
    let Some(value) = known(T::from_json(json, Position::Alone)) else {
        return false;
    };
    let (written, term) = (value.to_json(Position::Alone), Term::of(&value));
    let says = |error: DecodeError| -> T {
        panic!("{json} was read as {value:?}, which is written as {written} and {term}: {error}")
    };
    let again = T::from_json(&written, Position::Alone).unwrap_or_else(says);
    assert_eq!(Term::of(&again), term, "{json} as {written}");
    assert_eq!(again.to_json(Position::Alone), written, "{json}");
    let again = term.decode::<T>().unwrap_or_else(says);
    assert_eq!(Term::of(&again), term, "{json} as {term}");
    assert_eq!(again.to_json(Position::Alone), written, "{json} as {term}");
    true
}

fn known<T: FromTerm>(read: Result<T, DecodeError>) -> Option<T> {
    read.inspect_err(|error| assert!(!error.to_string().is_empty()))
        .ok()
}

/// Types with numbers: the input of the target is two bytes for the number, and a text.
pub struct All(Vec<Represented>);

impl All {
    /// Creates the set of all types.
    #[must_use]
    pub fn new() -> Self {
        All([KINDS, DERIVED].concat())
    }

    /// Reads an input as one of the types, and as any term.
    pub fn read(&self, bytes: &[u8]) {
        let Some((number, text)) = bytes.split_first_chunk::<2>() else {
            return;
        };
        let Ok(json) = serde_json::from_slice::<Value>(text) else {
            return;
        };
        let number = usize::from(u16::from_be_bytes(*number));
        (self.0[number % self.0.len()].read)(&json);
        read::<Term>(&json);
        text_is_read_again(&json);
    }

    /// Returns inputs of each type.
    #[must_use]
    pub fn seeds(&self, of_each: u64) -> Vec<Vec<u8>> {
        let mut seeds = Vec::new();
        for (number, represented) in (0_u16..).zip(&self.0) {
            let terms = terms_of(&represented.typed.module(), of_each);
            let texts = terms.filter_map(|term| (represented.write)(&term));
            let number = number.to_be_bytes();
            seeds.extend(texts.map(|json| [&number, json.to_string().as_bytes()].concat()));
        }
        seeds
    }
}

impl Default for All {
    fn default() -> Self {
        All::new()
    }
}

/// Checks that the JSON's text is read as equal JSON, unless it is nested deeper than `serde_json`
/// reads.
fn text_is_read_again(json: &Value) {
    match serde_json::from_str::<Value>(&json.to_string()) {
        Ok(again) => assert_eq!(again, *json),
        Err(error) => assert!(
            error.to_string().contains("recursion limit"),
            "{error}: {json}"
        ),
    }
}

/// Types of every kind, from the generator's tests.
const KINDS: &[Represented] = include!(concat!(env!("OUT_DIR"), "/represented.rs"));

/// Types as users write them.
const DERIVED: &[Represented] = &[
    Represented::of::<derived::HttpGet>("HttpGet"),
    Represented::of::<derived::Point>("Point"),
    Represented::of::<derived::Exact>("Exact"),
    Represented::of::<derived::Open>("Open"),
    Represented::of::<derived::Address>("Address"),
    Represented::of::<derived::Pair>("Pair"),
    Represented::of::<derived::Wrapper<derived::Exact>>("Wrapper"),
    Represented::of::<derived::Returned<u8, bool>>("Returned"),
    Represented::of::<derived::Way>("Way"),
    Represented::of::<derived::Value>("Value"),
    Represented::of::<derived::Shell>("Shell"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_types_read_what_they_write() {
        let all = All::new();
        let seeds = all.seeds(5);
        assert!(seeds.len() > 3 * all.0.len(), "{}", seeds.len());
        for seed in &seeds {
            all.read(seed);
        }
    }
}
