//! Schemas as schemars has them: of the shapes, and of Erlang's predefined types, each of which has
//! a name in a document

use std::borrow::Cow;

use otp_contract::schema::{self, Definitions, Predefined};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

/// What the contract's functions give is `true`, `false` or an object.
pub(super) fn of(value: Value) -> Schema {
    Schema::try_from(value).unwrap_or_default()
}

/// A document that schemars makes.
pub(super) struct Document<'g>(pub(super) &'g mut SchemaGenerator);

impl Definitions for Document<'_> {
    fn reference(&mut self, predefined: Predefined) -> Value {
        reference(self.0, predefined).to_value()
    }
}

/// schemars knows a schema by a type: here is one for each.
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
    // Pairs have a required key, and an object of others has none.
    let others = alternatives
        .iter()
        .find(|map| map.get("required").is_none());
    let object = match others {
        Some(others) => schema::opened(known.to_value(), others),
        None => known.to_value(),
    };
    if alternatives.len() == 1 && others.is_some() {
        return of(object);
    }
    let term = reference(generator, Predefined::Term).to_value();
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
