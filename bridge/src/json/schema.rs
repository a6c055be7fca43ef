//! Schemas of the shapes, as schemars has them

use otp_contract::schema::{self, Predefined};
use schemars::{Schema, SchemaGenerator};
use serde_json::{Value, json};

use super::definitions;

/// What the contract's functions give is `true`, `false` or an object.
pub(super) fn of(value: Value) -> Schema {
    Schema::try_from(value).unwrap_or_default()
}

/// `tag`
#[must_use]
pub fn atom(tag: &str) -> Schema {
    of(schema::atom(tag))
}

/// `{tag, …}`
#[must_use]
pub fn tagged(tag: &str, elements: Vec<Schema>) -> Schema {
    of(schema::tagged(tag, values(elements)))
}

/// `{…}`
#[must_use]
pub fn tuple(elements: Vec<Schema>) -> Schema {
    of(schema::tuple(values(elements)))
}

/// A map of atoms to values: keys, their schemas, and whether the map must have them.
#[must_use]
pub fn map(entries: Vec<(&str, Schema, bool)>) -> Schema {
    let entries = entries.into_iter();
    let entries = entries.map(|(key, value, required)| (key, value.to_value(), required));
    of(schema::map(entries.collect()))
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
    let others = others.cloned().unwrap_or(json!(false));
    let object = schema::opened(known.to_value(), &others);
    if alternatives.len() == 1 {
        return of(object);
    }
    let term = definitions::reference(generator, Predefined::Term).to_value();
    of(schema::union(vec![object, schema::pairs(&term, &term)]))
}

/// Any of the members. Atoms become one `enum`.
#[must_use]
pub fn union(members: Vec<Schema>) -> Schema {
    of(schema::union(values(members)))
}

fn values(schemas: Vec<Schema>) -> Vec<Value> {
    schemas.into_iter().map(Schema::to_value).collect()
}
