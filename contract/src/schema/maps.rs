//! Maps: objects where all keys are atoms, pairs otherwise.

use serde_json::{Map, Value, json};

use super::{Names, array, list, special, union};
use crate::representation::{KEY, NAME, Special, escaped, unescaped};

/// Returns the schema of a map of these keys, each required or not. Other keys are ignored.
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
        "propertyNames": { "pattern": KEY },
    });
    if !required.is_empty() {
        schema["required"] = Value::Array(required);
    }
    schema
}

/// Closes the map to other keys.
#[must_use]
pub fn closed(mut map: Value) -> Value {
    if let Value::Object(schema) = &mut map {
        schema.remove("propertyNames");
    }
    map["additionalProperties"] = Value::Bool(false);
    map
}

/// A map of any texts to `value`.
#[must_use]
pub fn object(value: &Value) -> Value {
    json!({
        "type": "object",
        "propertyNames": { "pattern": KEY },
        "additionalProperties": value,
    })
}

/// A map of these atoms to `value`.
#[must_use]
pub fn atom_object(keys: &Names, value: &Value) -> Value {
    opened(closed(map(Vec::new())), keys, value)
}

/// Opens the closed map to these atoms, with values of the schema `value`.
#[must_use]
pub fn opened(mut map: Value, keys: &Names, value: &Value) -> Value {
    match keys {
        Names::Any => with_others(map, value),
        Names::These(names) => {
            for name in names {
                let property = &mut map["properties"][&*escaped(name)];
                if property.is_null() {
                    property.clone_from(value);
                }
            }
            map
        }
    }
}

/// Adds the entries of `others`, which [`atom_object`] has made, to the closed map.
#[must_use]
pub fn with_others_of(mut map: Value, others: &Value) -> Value {
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

/// Opens the map to any other atoms, with values of the schema `value`.
fn with_others(mut map: Value, value: &Value) -> Value {
    map["propertyNames"] = json!({ "pattern": NAME });
    map["additionalProperties"] = value.clone();
    map
}

/// `{"@map": [[key, value], …]}`, for maps whose keys are not all atoms.
#[must_use]
pub fn pairs(key: &Value, value: &Value) -> Value {
    let pairs = list(&array(vec![key.clone(), value.clone()]));
    special(Special::Map, with_other_key(pairs))
}

/// The map `known`, which is closed, with other keys that are not all atoms, as pairs.
#[must_use]
pub fn with_pairs(known: &Value, key: &Value, value: &Value) -> Value {
    let properties = known["properties"].as_object();
    let required = known["required"].as_array();
    let names = properties.into_iter().flat_map(Map::keys);
    let atom = |name: &str| super::atom(unescaped(name));
    let constants: Vec<Value> = names.map(|name| atom(name.as_str())).collect();
    if constants.is_empty() {
        return pairs(key, value);
    }
    let other = json!({ "allOf": [key], "not": union(constants) });
    let mut entries = vec![array(vec![other, value.clone()])];
    for (name, value) in properties.into_iter().flatten() {
        entries.push(array(vec![atom(name), value.clone()]));
    }
    let mut pairs = with_other_key(list(&union(entries)));
    let names = required.into_iter().flatten().filter_map(Value::as_str);
    let there: Vec<Value> = names
        .map(|name| json!({ "contains": { "prefixItems": [atom(name)] } }))
        .collect();
    if !there.is_empty() {
        pairs["allOf"] = Value::Array(there);
    }
    special(Special::Map, pairs)
}

/// The pairs, at least one of whose keys is not an atom.
fn with_other_key(mut pairs: Value) -> Value {
    let other = json!({ "type": ["number", "array", "object"] });
    pairs["contains"] = json!({ "prefixItems": [other] });
    pairs
}

/// A map of these keys and values: an object if all keys are atoms. `has_others` allows other keys.
#[must_use]
pub fn any_map(names: &Names, has_others: bool, key: &Value, value: &Value) -> Value {
    let object = atom_object(names, value);
    if has_others {
        union(vec![object, pairs(key, value)])
    } else {
        object
    }
}
