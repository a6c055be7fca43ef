//! JSON Schemas (2020-12) of the JSON representation of terms ([`crate::representation`]).
//!
//! `otp-codegen` writes them from Erlang's types, `otp-bridge` from Rust's (by schemars): both make
//! them of these parts, and a type of Erlang and the Rust type that is generated from it have one
//! schema.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::representation::{self, KEY, SAFE, Special, TUPLE, escaped};

mod names;
mod predefined;

use names::{Names, names};
pub use predefined::{Definitions, Predefined};

/// `tag`
#[must_use]
pub fn atom(tag: &str) -> Value {
    json!({ "const": representation::atom(tag) })
}

/// `boolean()`
#[must_use]
pub fn boolean() -> Value {
    json!({ "type": "boolean" })
}

/// `float()`
#[must_use]
pub fn float() -> Value {
    json!({ "type": "number" })
}

/// Any text of JSON.
#[must_use]
pub fn string() -> Value {
    json!({ "type": "string" })
}

/// `string()` and `nonempty_string()`: `{"@string": "…"}`
#[must_use]
pub fn characters(shortest: usize) -> Value {
    let mut text = string();
    if shortest > 0 {
        text["minLength"] = Value::from(shortest);
    }
    special(Special::String, text)
}

/// `{tag, …}`
#[must_use]
pub fn tagged(tag: &str, elements: Vec<Value>) -> Value {
    if tag.is_empty() {
        return tuple([vec![atom(tag)], elements].concat());
    }
    only_key(&format!("{TUPLE}{tag}"), array(elements))
}

/// `{…}`
#[must_use]
pub fn tuple(elements: Vec<Value>) -> Value {
    only_key(TUPLE, array(elements))
}

/// A tuple of any elements.
#[must_use]
pub fn any_tuple(term: &Value) -> Value {
    json!({
        "type": "object",
        "patternProperties": { r"^\$": list(term) },
        "additionalProperties": false,
        "minProperties": 1,
        "maxProperties": 1,
    })
}

/// An array of exactly these elements.
#[must_use]
pub fn array(elements: Vec<Value>) -> Value {
    let count = elements.len();
    if count == 0 {
        return json!({ "type": "array", "maxItems": 0 });
    }
    json!({
        "type": "array",
        "prefixItems": elements,
        "items": false,
        "minItems": count,
    })
}

/// `[item]`
#[must_use]
pub fn list(item: &Value) -> Value {
    json!({ "type": "array", "items": item })
}

/// `[item, ...]`
#[must_use]
pub fn nonempty_list(item: &Value) -> Value {
    json!({ "type": "array", "items": item, "minItems": 1 })
}

/// `{"@improper": [element, …, tail]}`
#[must_use]
pub fn improper(part: &Value) -> Value {
    let array = json!({ "type": "array", "items": part, "minItems": 2 });
    special(Special::Improper, array)
}

/// `iolist()`
pub fn lists_of_iodata(definitions: &mut impl Definitions) -> Vec<Value> {
    let part = union(vec![
        range(0, 255),
        definitions.reference(Predefined::Iodata),
    ]);
    vec![list(&part), improper(&part)]
}

/// `{"@name": …}`
#[must_use]
pub fn special(special: Special, value: Value) -> Value {
    only_key(special.key(), value)
}

/// An object of exactly this key.
fn only_key(key: &str, value: Value) -> Value {
    json!({
        "type": "object",
        "properties": { key: value },
        "required": [key],
        "additionalProperties": false,
    })
}

/// A map of these keys, each required or not, and no others.
#[must_use]
pub fn map(entries: Vec<(&str, Value, bool)>) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (key, value, is_required) in entries {
        let key = escaped(key).into_owned();
        if is_required {
            required.push(Value::from(key.as_str()));
        }
        properties.insert(key, value);
    }
    let mut schema = json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        schema["required"] = Value::Array(required);
    }
    schema
}

/// A map of any names to `value`.
#[must_use]
pub fn object(value: &Value) -> Value {
    with_others(json!({ "type": "object" }), value)
}

/// A map of those keys that are atoms to `value`.
#[must_use]
pub fn atom_object(key: &Value, value: &Value) -> Value {
    match names(key) {
        Names::Any => object(value),
        Names::These(names) => {
            let entry = |name| (name, value.clone(), false);
            map(names.iter().map(String::as_str).map(entry).collect())
        }
    }
}

/// The map with also the atoms of `others`, which [`atom_object`] has made.
#[must_use]
pub fn opened(mut map: Value, others: &Value) -> Value {
    if others.get("propertyNames").is_some() {
        return with_others(map, &others["additionalProperties"]);
    }
    let properties = others.get("properties").and_then(Value::as_object);
    for (name, value) in properties.into_iter().flatten() {
        let property = &mut map["properties"][name];
        if property.is_null() {
            property.clone_from(value);
        }
    }
    map
}

/// The map with also any other atoms, to `value`.
fn with_others(mut map: Value, value: &Value) -> Value {
    map["propertyNames"] = json!({ "pattern": KEY });
    map["additionalProperties"] = value.clone();
    map
}

/// `{"@map": [[key, value], …]}`
#[must_use]
pub fn pairs(key: &Value, value: &Value) -> Value {
    let pair = array(vec![key.clone(), value.clone()]);
    special(Special::Map, list(&pair))
}

/// A map of these keys and values: an object where all keys are atoms.
#[must_use]
pub fn any_map(key: &Value, value: &Value) -> Value {
    union(vec![atom_object(key, value), pairs(key, value)])
}

/// An integer from `low` to `high`, which every reader of JSON keeps exactly.
#[must_use]
pub fn range(low: i64, high: i64) -> Value {
    json!({ "type": "integer", "minimum": low, "maximum": high })
}

/// An integer from `low` to `high`; one that reaches beyond what numbers keep exactly may have any
/// digits.
pub fn bounded(definitions: &mut impl Definitions, low: i128, high: i128) -> Value {
    let safe = |bound: i128| {
        i64::try_from(bound)
            .ok()
            .filter(|it| (-SAFE..=SAFE).contains(it))
    };
    if low > high {
        return Value::Bool(false);
    }
    if let (Some(low), Some(high)) = (safe(low), safe(high)) {
        return range(low, high);
    }
    definitions.reference(match (low, high) {
        (1, _) => Predefined::PosInteger,
        (0.., _) => Predefined::NonNegInteger,
        (_, ..0) => Predefined::NegInteger,
        _ => Predefined::Integer,
    })
}

/// Any of the members. Constants become one `enum`.
#[must_use]
pub fn union(members: Vec<Value>) -> Value {
    let mut seen = BTreeSet::new();
    let mut constants: Vec<Value> = Vec::new();
    let mut others: Vec<Value> = Vec::new();
    for member in members {
        if seen.insert(member.to_string()) {
            match only_constant(&member) {
                Some(constant) => constants.push(constant.clone()),
                None => others.push(member),
            }
        }
    }
    let constants = match constants.as_slice() {
        [] => None,
        [constant] => Some(json!({ "const": constant })),
        constants => Some(json!({ "enum": constants })),
    };
    let mut members: Vec<Value> = constants.into_iter().chain(others).collect();
    match members.len() {
        0 => Value::Bool(false),
        1 => members.remove(0),
        _ => json!({ "anyOf": members }),
    }
}

fn only_constant(schema: &Value) -> Option<&Value> {
    let schema = schema.as_object()?;
    schema.get("const").filter(|_| schema.len() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Refers to a type by its name.
    struct Names;

    impl Definitions for Names {
        fn reference(&mut self, predefined: Predefined) -> Value {
            Value::from(predefined.name())
        }
    }

    #[test]
    fn the_constants_of_a_union_are_one() {
        let members = vec![atom("a"), boolean(), atom("undefined"), atom("a")];
        let expected = json!({ "anyOf": [{ "enum": ["a", null] }, { "type": "boolean" }] });
        assert_eq!(union(members), expected);
        assert_eq!(union(Vec::new()), json!(false));
        assert_eq!(union(vec![atom("a")]), atom("a"));
    }

    #[test]
    fn what_numbers_do_not_keep_may_be_digits() {
        assert_eq!(bounded(&mut Names, -1, 5), range(-1, 5));
        assert_eq!(
            bounded(&mut Names, 0, i128::MAX),
            json!("non_neg_integer()")
        );
        assert_eq!(bounded(&mut Names, 1, i128::MAX), json!("pos_integer()"));
        assert_eq!(bounded(&mut Names, i128::MIN, -1), json!("neg_integer()"));
        assert_eq!(bounded(&mut Names, i128::MIN, 1), json!("integer()"));
        assert_eq!(bounded(&mut Names, 2, 1), json!(false));
    }

    #[test]
    fn a_tuple_has_its_tag_in_the_key() {
        assert_eq!(tagged("add", vec![boolean()])["required"], json!(["$add"]));
        assert_eq!(tagged("", Vec::new()), tuple(vec![atom("")]));
        assert_eq!(
            map(vec![("$odd", float(), true)])["required"],
            json!(["@$odd"])
        );
    }
}
