//! The limits of JSON Schema: facts about the JSON of terms that a schema cannot express. Each has
//! a check whether it is the reason for a difference.

use std::collections::BTreeSet;

use otp_bridge::term::DecodeError;
use serde_json::Value;

/// A text that a schema accepts although decoding refuses it, or the other way around.
pub(crate) struct Difference<'a> {
    pub(crate) json: &'a Value,
    /// The error, if decoding refuses the text.
    pub(crate) error: Option<&'a DecodeError>,
    /// Returns whether decoding accepts another text.
    pub(crate) accepts: &'a dyn Fn(&Value) -> bool,
}

pub(crate) struct Limit {
    pub(crate) text: &'static str,
    is_reason: fn(&Difference<'_>) -> bool,
}

/// Returns the number of the limit that is the reason.
pub(crate) fn reason(difference: &Difference<'_>) -> Option<usize> {
    LIMITS
        .iter()
        .position(|limit| (limit.is_reason)(difference))
}

pub(crate) const LIMITS: [Limit; 6] = [
    Limit {
        text: "whether a number is written `1` or `1.0`: a schema treats both alike, but reading distinguishes them if a union has an integer and a float",
        is_reason: |difference| {
            let rewritten = [as_integer, as_float].map(|one| numbers(difference.json, one));
            let is_refused = difference.error.is_some();
            rewritten
                .iter()
                .any(|json| (difference.accepts)(json) == is_refused)
        },
    },
    Limit {
        text: "the bounds of Rust types: an integer has 64 bits where its Erlang type has no bounds, and a text has no surrogates",
        is_reason: |difference| difference.expected().ends_with("for others)"),
    },
    Limit {
        text: "how many bytes or bits a binary has, if its type limits the number (`<<_:128>>`, `nonempty_binary()`): a character may have several bytes",
        is_reason: |difference| {
            let expected = difference.expected();
            ["<<_:", "nonempty_b", "<<>>"]
                .iter()
                .any(|text| expected.contains(text))
        },
    },
    Limit {
        text: "which part of an improper list is the tail: `{\"@improper\": [1, 2]}` has elements and a tail of either type",
        is_reason: |difference| difference.has(|key, _| key == "@improper"),
    },
    Limit {
        text: "whether a key of a map occurs twice: `{\"@map\": [[1, \"a\"], [1, \"b\"]]}`",
        is_reason: |difference| {
            difference.has(|key, value| {
                let pairs = value.as_array().into_iter().flatten();
                let keys: Vec<String> = pairs.map(|pair| pair[0].to_string()).collect();
                key == "@map" && keys.iter().collect::<BTreeSet<_>>().len() < keys.len()
            })
        },
    },
    Limit {
        text: "whether the base64 of a fun, as all funs other than `fun m:f/a` have it, stands for a fun",
        is_reason: |difference| difference.has(|key, value| key == "@fun" && value.is_string()),
    },
];

impl Difference<'_> {
    /// Returns the expected type in the error.
    fn expected(&self) -> &str {
        self.error.map_or("", DecodeError::expected_type)
    }

    /// Returns whether any entry in the text meets the condition.
    fn has(&self, is_so: fn(&str, &Value) -> bool) -> bool {
        let mut open = vec![self.json];
        while let Some(json) = open.pop() {
            match json {
                Value::Object(entries) => {
                    if entries.iter().any(|(key, value)| is_so(key, value)) {
                        return true;
                    }
                    open.extend(entries.values());
                }
                Value::Array(elements) => open.extend(elements),
                _ => {}
            }
        }
        false
    }
}

/// Returns the text with rewritten numbers.
fn numbers(json: &Value, rewritten: fn(f64) -> Option<Value>) -> Value {
    match json {
        Value::Number(number) => {
            let rewritten = number.as_f64().and_then(rewritten);
            rewritten.unwrap_or_else(|| json.clone())
        }
        Value::Array(elements) => elements
            .iter()
            .map(|element| numbers(element, rewritten))
            .collect(),
        Value::Object(entries) => entries
            .iter()
            .map(|(key, value)| (key.clone(), numbers(value, rewritten)))
            .collect(),
        other => other.clone(),
    }
}

fn as_integer(number: f64) -> Option<Value> {
    let whole = Some(number).filter(|number| number.fract() == 0.0)?;
    if (0.0..18_446_744_073_709_551_616.0).contains(&whole) {
        return Some(Value::from(whole as u64));
    }
    (-9_223_372_036_854_775_808.0..0.0)
        .contains(&whole)
        .then(|| Value::from(whole as i64))
}

fn as_float(number: f64) -> Option<Value> {
    Some(Value::from(number))
}
