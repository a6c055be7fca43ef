//! JSON Schemas (2020-12) of the JSON representation of terms ([`crate::representation`]).
//!
//! `otp-codegen` writes them from Erlang's types, and `otp-bridge` from Rust's (by schemars). Both
//! compose them of the parts in this module, so that a type of Erlang and the Rust type that is
//! generated from it have one schema.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::representation::{self, SAFE, Special, TAG, TUPLE};

mod decimals;
mod maps;
mod names;
mod predefined;

pub use maps::{
    any_map, atom_object, closed, map, object, opened, pairs, with_others_of, with_pairs,
};
pub use names::Names;
pub use predefined::{Definitions, Predefined, fun};

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

/// `string()` and `nonempty_string()`: `{"@string": "…"}`, or the list of their characters, none a
/// surrogate.
#[must_use]
pub fn characters(shortest: usize) -> Value {
    let mut text = string();
    let mut codes = list(&union(vec![range(0, 0xD7FF), range(0xE000, 0x0010_FFFF)]));
    if shortest > 0 {
        text["minLength"] = Value::from(shortest);
        codes["minItems"] = Value::from(shortest);
    }
    union(vec![special(Special::String, text), codes])
}

/// `{tag, …}`
#[must_use]
pub fn tagged(tag: &str, elements: Vec<Value>) -> Value {
    if tag.is_empty() {
        return only_key(TUPLE, array([vec![atom(tag)], elements].concat()));
    }
    only_key(&format!("{TUPLE}{tag}"), array(elements))
}

/// `{…}`, whose first element may be one of these atoms: the tuple can then also be written with a
/// tag. If the first element is always the same atom, the tag is the only form.
#[must_use]
pub fn tuple(first: &Names, elements: Vec<Value>, only_atom: Option<&str>) -> Value {
    if elements.is_empty() {
        return only_key(TUPLE, array(elements));
    }
    let rest = array(elements[1..].to_vec());
    if let Some(tag) = only_atom {
        return tagged(tag, elements[1..].to_vec());
    }
    if first.is_none() {
        return only_key(TUPLE, array(elements));
    }
    let mut properties = Map::from_iter([(TUPLE.to_owned(), array(elements))]);
    let mut schema = json!({
        "type": "object",
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": false,
    });
    match first {
        Names::Any => schema["patternProperties"] = json!({ TAG: rest }),
        Names::These(names) => {
            let tags = names.iter().filter(|name| !name.is_empty());
            properties.extend(tags.map(|name| (format!("{TUPLE}{name}"), rest.clone())));
        }
    }
    schema["properties"] = Value::Object(properties);
    schema
}

/// A tuple of any elements.
#[must_use]
pub fn any_tuple(term: &Value) -> Value {
    json!({
        "type": "object",
        "properties": { TUPLE: list(term) },
        "patternProperties": { TAG: list(term) },
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
pub fn improper(element: &Value, tail: &Value) -> Value {
    let part = union(vec![element.clone(), tail.clone()]);
    let array = json!({ "type": "array", "items": part, "minItems": 2 });
    special(Special::Improper, array)
}

/// `iolist()`
pub fn lists_of_iodata(definitions: &mut impl Definitions) -> Vec<Value> {
    let part = union(vec![
        range(0, 255),
        definitions.reference(Predefined::Iodata),
    ]);
    let binary = definitions.reference(Predefined::Binary);
    let text = json!({ "type": "string", "pattern": r"^[\u0000-\u00ff]*$" });
    vec![
        list(&part),
        improper(&part, &binary),
        special(Special::String, text),
    ]
}

/// An object whose only key is `special`'s.
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

/// An integer from `low` to `high`. Every reader of JSON has to keep these exactly.
#[must_use]
pub fn range(low: i64, high: i64) -> Value {
    json!({ "type": "integer", "minimum": low, "maximum": high })
}

/// An integer from `low` to `high`: a number, or its digits where numbers are no longer exact.
pub fn bounded(definitions: &mut impl Definitions, low: i128, high: i128) -> Value {
    match (low, high) {
        _ if low > high => Value::Bool(false),
        (i128::MIN, i128::MAX) => definitions.reference(Predefined::Integer),
        (0, i128::MAX) => definitions.reference(Predefined::NonNegInteger),
        (1, i128::MAX) => definitions.reference(Predefined::PosInteger),
        (i128::MIN, -1) => definitions.reference(Predefined::NegInteger),
        _ => predefined::integer(low, high),
    }
}

/// Exactly this integer, by its digits.
#[must_use]
pub fn exactly(digits: &str) -> Value {
    let as_digits = json!({ Special::Integer.key(): digits });
    let number = digits.parse::<i64>().map(Value::from);
    match number.or_else(|_| digits.parse::<u64>().map(Value::from)) {
        Ok(number) if digits.parse().is_ok_and(|it| (-SAFE..=SAFE).contains(&it)) => {
            json!({ "const": number })
        }
        Ok(number) => json!({ "enum": [number, as_digits] }),
        Err(_) => json!({ "const": as_digits }),
    }
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
        let number = json!({ "type": "integer", "minimum": i64::MIN, "maximum": 1 });
        assert_eq!(bounded(&mut Names, i128::MIN, 1)["anyOf"][0], number);
        assert_eq!(bounded(&mut Names, 2, 1), json!(false));
        let number = json!({ "type": "integer", "minimum": 7, "maximum": u64::MAX });
        assert_eq!(bounded(&mut Names, 7, 1 << 70)["anyOf"][0], number);
        assert_eq!(exactly("7"), json!({ "const": 7 }));
        assert_eq!(
            exactly("9007199254740992")["enum"][0],
            json!(9_007_199_254_740_992_i64)
        );
    }

    #[test]
    fn a_tuple_has_its_tag_in_the_key() {
        assert_eq!(tagged("add", vec![boolean()])["required"], json!(["$add"]));
        assert_eq!(
            tagged("", Vec::new()),
            tuple(&super::Names::none(), vec![atom("")], None)
        );
        assert_eq!(
            map(vec![("$odd", float(), true)])["required"],
            json!(["@$odd"])
        );
    }
}
