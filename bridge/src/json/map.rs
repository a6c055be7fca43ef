//! Maps: objects if all keys are atoms, otherwise pairs.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash};

use otp_contract::schema as contract;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::derived::schema_name;
use super::error::expected;
use super::{JsonRepresentation, Keys, Position, schema, shape, term};
use crate::term::types::Map;
use crate::term::{DecodeError, ErlangType, deeper, guard_depth};

/// Returns whether a map with these keys is an object whose keys are texts.
fn is_of_texts<K: JsonRepresentation>(position: Position) -> bool {
    K::keys() == Keys::Texts && position == Position::Alone
}

fn to_json<'a, K: JsonRepresentation + 'a, V: JsonRepresentation + 'a>(
    entries: impl Iterator<Item = (&'a K, &'a V)>,
    position: Position,
) -> Value {
    let is_of_texts = is_of_texts::<K>(position);
    let key_position = if is_of_texts {
        position
    } else {
        Position::Member
    };
    let written =
        entries.map(|(key, value)| (key.to_json(key_position), value.to_json(Position::Alone)));
    let written: Vec<(Value, Value)> = deeper(|| written.collect());
    if !is_of_texts {
        return term::write_map(written);
    }
    let entry = |(key, value): (Value, Value)| {
        let key = key.as_str().map(shape::escaped)?;
        Some((key.into_owned(), value))
    };
    Value::Object(written.into_iter().filter_map(entry).collect())
}

fn from_json<T: ErlangType, K: JsonRepresentation, V: JsonRepresentation>(
    json: &Value,
    position: Position,
) -> Result<Vec<(K, V)>, DecodeError> {
    let is_of_texts = is_of_texts::<K>(position);
    guard_depth(|| {
        if !is_of_texts && let Some(pairs) = shape::read_pairs(json) {
            let entry = |(key, value)| read_entry(key, value, Position::Member);
            return pairs.into_iter().map(entry).collect();
        }
        let object = shape::read_object(json).ok_or_else(|| expected::<T>(json))?;
        let entry = |(key, value): (&String, &Value)| match shape::unescaped(key) {
            key if is_of_texts => read_entry(&Value::from(key), value, position),
            key => read_entry(&shape::atom(key), value, Position::Member),
        };
        object.iter().map(entry).collect()
    })
}

fn read_entry<K: JsonRepresentation, V: JsonRepresentation>(
    key: &Value,
    value: &Value,
    position: Position,
) -> Result<(K, V), DecodeError> {
    let field = || match key {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    Ok((
        K::from_json(key, position).map_err(|error| error.at_field(field()))?,
        V::from_json(value, Position::Alone).map_err(|error| error.at_field(field()))?,
    ))
}

fn schema_of<K: JsonRepresentation, V: JsonRepresentation>(
    generator: &mut SchemaGenerator,
    position: Position,
) -> Schema {
    let value = V::schema(generator, Position::Alone).to_value();
    if is_of_texts::<K>(position) {
        return schema::of(contract::object(&value));
    }
    let key = K::schema(generator, Position::Member).to_value();
    let has_others = K::keys() != Keys::Atoms;
    let names = shape::names(&K::KIND);
    schema::of(contract::any_map(&names, has_others, &key, &value))
}

macro_rules! maps {
    ($($map:ident<K, V $(, $state:ident)?> where $($bound:path),*;)*) => {$(
        impl<K, V $(, $state)?> JsonRepresentation for $map<K, V $(, $state)?>
        where
            K: JsonRepresentation $(+ $bound)*,
            V: JsonRepresentation,
            $($state: BuildHasher + Default,)?
        {
            fn to_json(&self, position: Position) -> Value {
                to_json(self.iter(), position)
            }

            fn from_json(json: &Value, position: Position) -> Result<Self, DecodeError> {
                let entries = from_json::<Self, K, V>(json, position)?;
                let count = entries.len();
                let map = Self::from_iter(entries);
                // Otherwise a key occurs twice.
                if map.len() == count { Ok(map) } else { Err(expected::<Self>(json)) }
            }

            fn schema(generator: &mut SchemaGenerator, position: Position) -> Schema {
                schema_of::<K, V>(generator, position)
            }
        }
    )*};
}

maps! {
    Map<K, V> where PartialEq;
    BTreeMap<K, V> where Ord;
    HashMap<K, V, S> where Eq, Hash;
}

impl<K: JsonRepresentation + PartialEq, V: JsonRepresentation> Serialize for Map<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        super::serialize(self, serializer)
    }
}

impl<'de, K: JsonRepresentation + PartialEq, V: JsonRepresentation> Deserialize<'de> for Map<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        super::deserialize(deserializer)
    }
}

impl<K: JsonRepresentation + PartialEq, V: JsonRepresentation> JsonSchema for Map<K, V> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        schema_name::<Self>()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        <Self as JsonRepresentation>::schema(generator, Position::Alone)
    }
}
