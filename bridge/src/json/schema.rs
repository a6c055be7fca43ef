//! Schemas for schemars: those of shapes, and of Erlang's predefined types, which have names in a
//! document.

use std::borrow::Cow;

use otp_contract::representation::Special;
use otp_contract::schema::{self, Definitions, Predefined};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

use super::shape;
use crate::term::Shape;

/// Converts a schema of the contract's functions, which is `true`, `false` or an object.
pub(super) fn of(value: Value) -> Schema {
    Schema::try_from(value).unwrap_or_default()
}

/// A document of schemars.
pub(super) struct Document<'g>(pub(super) &'g mut SchemaGenerator);

impl Definitions for Document<'_> {
    fn reference(&mut self, predefined: Predefined) -> Value {
        reference(self.0, predefined).to_value()
    }
}

/// schemars identifies a schema by a type, so this defines a type for each.
macro_rules! predefined {
    ($($name:ident),*) => {
        /// A reference to the schema of a predefined type.
        pub(super) fn reference(generator: &mut SchemaGenerator, predefined: Predefined) -> Schema {
            match predefined {
                $(Predefined::$name => generator.subschema_for::<$name>(),)*
            }
        }

        $(
            struct $name;

            impl JsonSchema for $name {
                fn schema_name() -> Cow<'static, str> {
                    Predefined::$name.name().into()
                }

                fn schema_id() -> Cow<'static, str> {
                    concat!(module_path!(), "::", stringify!($name)).into()
                }

                fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                    of(Predefined::$name.schema(&mut Document(generator)))
                }
            }
        )*
    };
}

predefined! {
    Atom, Integer, NonNegInteger, PosInteger, NegInteger, Binary, Bitstring, Pid, Port, Reference, Fun, Iodata, Term
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

/// `{…}`, whose first element has this shape.
#[must_use]
pub fn tuple(first: &Shape, elements: Vec<Schema>) -> Schema {
    let (names, only_atom) = (shape::names(first), shape::only_atom(first));
    of(schema::tuple(&names, values(elements), only_atom))
}

/// Returns the schema of a map of atoms to values: keys, their schemas, and whether the keys are
/// required. The map has no other keys.
#[must_use]
pub fn map(entries: Vec<(&str, Schema, bool)>) -> Schema {
    of(schema::closed(map_ignoring_others(entries).to_value()))
}

/// Returns the schema of a map whose reader ignores all other keys.
#[must_use]
pub fn map_ignoring_others(entries: Vec<(&str, Schema, bool)>) -> Schema {
    let entries = entries.into_iter();
    let entries = entries.map(|(key, value, required)| (key, value.to_value(), required));
    of(schema::map(entries.collect()))
}

/// Returns the closed map `known`, plus the entries that `rest` allows, the schema of a map in the
/// position `Member`.
#[must_use]
pub fn map_with_rest(known: Schema, rest: Schema) -> Schema {
    let (known, rest) = (known.to_value(), rest.to_value());
    let alternatives = match rest.get("anyOf").and_then(Value::as_array) {
        Some(alternatives) => alternatives.clone(),
        None => vec![rest],
    };
    let with_rest = |rest: &Value| match rest["properties"][Special::Map.key()].get("items") {
        Some(pair) => schema::with_pairs(&known, &pair["prefixItems"][0], &pair["prefixItems"][1]),
        None => schema::with_others_of(known.clone(), rest),
    };
    of(schema::union(alternatives.iter().map(with_rest).collect()))
}

/// Returns the schema of any of the members. Atoms become one `enum`.
#[must_use]
pub fn union(members: Vec<Schema>) -> Schema {
    of(schema::union(values(members)))
}

fn values(schemas: Vec<Schema>) -> Vec<Value> {
    schemas.into_iter().map(Schema::to_value).collect()
}
