//! Schemas of the shapes
//!
//! `codegen/src/schema` writes the same from Erlang's types; a test holds them equal.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use super::{definitions, shape};

/// `tag`
#[must_use]
pub fn atom(tag: &str) -> Schema {
    json_schema!({ "const": shape::atom(tag) })
}

/// `{tag, …}`
#[must_use]
pub fn tagged(tag: &str, elements: Vec<Schema>) -> Schema {
    if tag.is_empty() {
        let first = std::iter::once(atom(tag));
        return tuple(first.chain(elements).collect());
    }
    only_key(&format!("{}{tag}", shape::TUPLE), array(elements))
}

/// `{…}`
#[must_use]
pub fn tuple(elements: Vec<Schema>) -> Schema {
    only_key(shape::TUPLE, array(elements))
}

/// `{"@name": …}`
pub(super) fn special(name: &str, value: Schema) -> Schema {
    only_key(&format!("@{name}"), value)
}

/// An array of exactly these elements.
fn array(elements: Vec<Schema>) -> Schema {
    let count = elements.len();
    if count == 0 {
        return json_schema!({ "type": "array", "maxItems": 0 });
    }
    json_schema!({
        "type": "array",
        "prefixItems": elements,
        "items": false,
        "minItems": count,
    })
}

/// An object of exactly this key.
fn only_key(key: &str, value: Schema) -> Schema {
    json_schema!({
        "type": "object",
        "properties": { key: value },
        "required": [key],
        "additionalProperties": false,
    })
}

/// A map of atoms to values: keys, their schemas, and whether the map must have them.
#[must_use]
pub fn map(entries: Vec<(&str, Schema, bool)>) -> Schema {
    let mut properties = serde_json::Map::new();
    let mut required: Vec<String> = Vec::new();
    for (key, schema, is_required) in entries {
        let key = shape::escaped(key).into_owned();
        if is_required {
            required.push(key.clone());
        }
        properties.insert(key, schema.into());
    }
    let mut schema = json_schema!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema.insert("additionalProperties".to_owned(), json!(false));
    schema
}

/// The map `known` with the other entries that `rest`, the schema of a map, allows.
#[must_use]
pub fn map_with_rest(generator: &mut SchemaGenerator, known: Schema, rest: Schema) -> Schema {
    let rest = rest.to_value();
    let alternatives = match rest.get("anyOf").and_then(Value::as_array) {
        Some(alternatives) => alternatives.clone(),
        None => vec![rest],
    };
    let others = alternatives.iter().find_map(|map| {
        map.get("propertyNames")
            .and(map.get("additionalProperties"))
    });
    let mut object = known;
    object.insert(
        "propertyNames".to_owned(),
        json!({ "pattern": definitions::KEY }),
    );
    let others = others.cloned().unwrap_or(json!(false));
    object.insert("additionalProperties".to_owned(), others);
    if alternatives.len() == 1 {
        return object;
    }
    let term = definitions::reference::<definitions::AnyTerm>(generator);
    union(vec![object, definitions::pairs(term.clone(), term)])
}

/// Any of the members. Atoms become one `enum`.
#[must_use]
pub fn union(members: Vec<Schema>) -> Schema {
    let mut constants: Vec<Value> = Vec::new();
    let mut others: Vec<Value> = Vec::new();
    for member in members {
        let member = member.to_value();
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
        0 => json_schema!(false),
        1 => Schema::try_from(members.remove(0)).unwrap_or_default(),
        _ => json_schema!({ "anyOf": members }),
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
