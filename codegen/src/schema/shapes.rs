//! Schemas of the shapes that terms have in JSON (docs/json.md).

use serde_json::{Map, Value, json};

/// The largest integer that every reader of JSON keeps exactly (RFC 8259, section 6).
pub(super) const SAFE: i128 = (1 << 53) - 1;
/// The keys of a map's entries: those that begin with `$` or `@` have an `@` before that.
const KEY: &str = "^($|[^$@]|@[$@])";

/// `tag`
pub(super) fn atom(tag: &str) -> Value {
    json!({ "const": atom_value(tag) })
}

/// An atom in JSON.
fn atom_value(tag: &str) -> Value {
    match tag {
        "undefined" => Value::Null,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        tag => Value::from(tag),
    }
}

/// `{tag, …}`
pub(super) fn tagged(tag: &str, elements: Vec<Value>) -> Value {
    if tag.is_empty() {
        return tuple(std::iter::once(atom(tag)).chain(elements).collect());
    }
    only_key(&format!("${tag}"), array(elements))
}

/// `{…}`
pub(super) fn tuple(elements: Vec<Value>) -> Value {
    only_key("$", array(elements))
}

/// An array of exactly these elements.
pub(super) fn array(elements: Vec<Value>) -> Value {
    let count = elements.len();
    match count {
        0 => empty_array(),
        _ => json!({
            "type": "array",
            "prefixItems": elements,
            "items": false,
            "minItems": count,
        }),
    }
}

pub(super) fn empty_array() -> Value {
    json!({ "type": "array", "maxItems": 0 })
}

/// `{"@name": …}`
pub(super) fn special(name: &str, value: Value) -> Value {
    only_key(&format!("@{name}"), value)
}

/// `{"@name": "…"}` of this pattern.
pub(super) fn text(name: &str, pattern: &str) -> Value {
    special(name, json!({ "type": "string", "pattern": pattern }))
}

/// `{"@improper": [element, …, tail]}`
pub(super) fn improper(part: &Value) -> Value {
    let array = json!({ "type": "array", "items": part, "minItems": 2 });
    special("improper", array)
}

fn only_key(key: &str, value: Value) -> Value {
    json!({
        "type": "object",
        "properties": { key: value },
        "required": [key],
        "additionalProperties": false,
    })
}

/// A tuple of any elements.
pub(super) fn any_tuple(term: &Value) -> Value {
    json!({
        "type": "object",
        "patternProperties": { r"^\$": { "type": "array", "items": term } },
        "additionalProperties": false,
        "minProperties": 1,
        "maxProperties": 1,
    })
}

/// A map of these keys, each required or not, and no others.
pub(super) fn closed_map(entries: Vec<(&str, Value, bool)>) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (key, value, is_required) in entries {
        let key = match key.starts_with(['$', '@']) {
            true => format!("@{key}"),
            false => key.to_owned(),
        };
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

/// A map of atoms to `value`.
pub(super) fn object(value: &Value) -> Value {
    json!({
        "type": "object",
        "propertyNames": { "pattern": KEY },
        "additionalProperties": value,
    })
}

/// The map with also other atoms, to `value`.
pub(super) fn opened(mut closed: Value, value: &Value) -> Value {
    closed["propertyNames"] = json!({ "pattern": KEY });
    closed["additionalProperties"] = value.clone();
    closed
}

/// `{"@map": [[key, value], …]}`
pub(super) fn pairs(key: &Value, value: &Value) -> Value {
    let pair = array(vec![key.clone(), value.clone()]);
    special("map", json!({ "type": "array", "items": pair }))
}

/// An integer within bounds that every reader of JSON keeps exactly.
pub(super) fn range(low: i128, high: i128) -> Value {
    // Both are within 53 bits.
    json!({ "type": "integer", "minimum": low as i64, "maximum": high as i64 })
}

/// Exactly this integer.
pub(super) fn literal(value: i128) -> Value {
    match i64::try_from(value) {
        Ok(small) if value.abs() <= SAFE => json!({ "const": small }),
        _ => json!({ "const": { "@integer": value.to_string() } }),
    }
}

/// Any of the members. Constants become one `enum`.
pub(super) fn union(members: Vec<Value>) -> Value {
    let mut constants: Vec<Value> = Vec::new();
    let mut others: Vec<Value> = Vec::new();
    for member in members {
        match only_constant(&member) {
            Some(constant) => push_new(&mut constants, constant.clone()),
            None => push_new(&mut others, member),
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

fn push_new(values: &mut Vec<Value>, value: Value) {
    if !values.contains(&value) {
        values.push(value);
    }
}

/// A reference to a definition of the document.
pub(super) fn reference(name: &str) -> Value {
    let mut pointer = String::from("#/$defs/");
    for byte in name.bytes() {
        match byte {
            b'~' => pointer.push_str("~0"),
            b'/' => pointer.push_str("~1"),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => pointer.push(byte.into()),
            _ if b"-._!$&'()*+,;=:@".contains(&byte) => pointer.push(byte.into()),
            _ => pointer.push_str(&format!("%{byte:02X}")),
        }
    }
    json!({ "$ref": pointer })
}
