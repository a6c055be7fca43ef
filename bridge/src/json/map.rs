//! Maps: objects where all keys are atoms, pairs otherwise

use std::collections::BTreeMap;

use otp_contract::schema as contract;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::derived::schema_name;
use super::refusal::expected;
use super::{JsonForm, Keys, Place, schema, shape, term};
use crate::term::types::Map;
use crate::term::{DecodeError, ErlangType, Term, TermMap, guard_depth};

/// The JSON of a map of any terms.
pub(super) fn dynamic(entries: &TermMap) -> Value {
    let written: Vec<(Value, Value)> = entries
        .iter()
        .map(|(key, value)| (term::to_json(key), term::to_json(value)))
        .collect();
    let are_atoms = entries.iter().all(|(key, _)| matches!(key, Term::Atom(_)));
    write(written, are_atoms)
}

fn write(entries: Vec<(Value, Value)>, as_object: bool) -> Value {
    if as_object {
        let entry = |(key, value): (Value, Value)| {
            let key = shape::read_atom(&key).unwrap_or_default();
            (shape::escaped(key).into_owned(), value)
        };
        return Value::Object(entries.into_iter().map(entry).collect());
    }
    write_pairs(entries)
}

/// `{"@map": [[key, value], …]}`, the keys in Erlang's order: equal maps have equal JSON.
pub(super) fn write_pairs(mut entries: Vec<(Value, Value)>) -> Value {
    entries.sort_by_cached_key(|(key, _)| term::from_json(key).ok());
    let pair = |(key, value)| Value::Array(vec![key, value]);
    shape::special("map", entries.into_iter().map(pair).collect::<Vec<_>>())
}

/// The entries of `{"@map": [[key, value], …]}`.
pub(super) fn read_pairs(json: &Value) -> Option<Vec<(&Value, &Value)>> {
    let pairs = shape::read_special(json, "map")?.as_array()?;
    let pair = |pair: &Value| matches!(pair.as_array().map(Vec::as_slice), Some([_, _]));
    pairs
        .iter()
        .all(pair)
        .then(|| pairs.iter().map(|pair| (&pair[0], &pair[1])).collect())
}

fn to_json<'a, K: JsonForm + 'a, V: JsonForm + 'a>(
    entries: impl Iterator<Item = (&'a K, &'a V)>,
    place: Place,
) -> Value {
    let is_text_object = K::keys() == Keys::Texts && place == Place::Alone;
    let key_place = if is_text_object {
        Place::Alone
    } else {
        Place::Member
    };
    let written: Vec<(Value, Value)> = entries
        .map(|(key, value)| (key.to_json(key_place), value.to_json(Place::Alone)))
        .collect();
    let are_atoms = written
        .iter()
        .all(|(key, _)| shape::read_atom(key).is_some());
    let as_object = match K::keys() {
        Keys::Atoms => true,
        Keys::Texts => is_text_object,
        Keys::Mixed => are_atoms,
    };
    write(written, as_object)
}

fn from_json<T: ErlangType, K: JsonForm, V: JsonForm>(
    json: &Value,
    place: Place,
) -> Result<Vec<(K, V)>, DecodeError> {
    guard_depth(|| {
        if let Some(pairs) = read_pairs(json) {
            let entry = |(key, value)| read_entry(key, value, Place::Member);
            return pairs.into_iter().map(entry).collect();
        }
        let is_text_object = K::keys() == Keys::Texts && place == Place::Alone;
        let key_place = if is_text_object {
            Place::Alone
        } else {
            Place::Member
        };
        let object = shape::read_object(json).ok_or_else(|| expected::<T>(json))?;
        let entry = |(key, value): (&String, &Value)| {
            let key = shape::unescaped(key);
            let key = match is_text_object {
                true => Value::from(key),
                false => shape::atom(key),
            };
            read_entry(&key, value, key_place)
        };
        object.iter().map(entry).collect()
    })
}

fn read_entry<K: JsonForm, V: JsonForm>(
    key: &Value,
    value: &Value,
    place: Place,
) -> Result<(K, V), DecodeError> {
    let field = || match key {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    Ok((
        K::from_json(key, place).map_err(|error| error.at_field(field()))?,
        V::from_json(value, Place::Alone).map_err(|error| error.at_field(field()))?,
    ))
}

fn schema_of<K: JsonForm, V: JsonForm>(generator: &mut SchemaGenerator, place: Place) -> Schema {
    let value = V::schema(generator, Place::Alone).to_value();
    schema::of(match (K::keys(), place) {
        (Keys::Atoms, _) | (Keys::Texts, Place::Alone) => contract::object(&value),
        (keys, _) => {
            let key = K::schema(generator, Place::Member).to_value();
            match keys {
                Keys::Mixed => contract::any_map(&key, &value),
                Keys::Atoms | Keys::Texts => contract::pairs(&key, &value),
            }
        }
    })
}

macro_rules! maps {
    ($($map:ident where $($bound:path)?;)*) => {$(
        impl<K: JsonForm $(+ $bound)?, V: JsonForm> JsonForm for $map<K, V> {
            fn to_json(&self, place: Place) -> Value {
                to_json(self.iter(), place)
            }

            fn from_json(json: &Value, place: Place) -> Result<Self, DecodeError> {
                from_json::<Self, K, V>(json, place).map(Self::from_iter)
            }

            fn schema(generator: &mut SchemaGenerator, place: Place) -> Schema {
                schema_of::<K, V>(generator, place)
            }
        }
    )*};
}

maps! {
    Map where PartialEq;
    BTreeMap where Ord;
}

impl<K: JsonForm + PartialEq, V: JsonForm> Serialize for Map<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        super::serialize(self, serializer)
    }
}

impl<'de, K: JsonForm + PartialEq, V: JsonForm> Deserialize<'de> for Map<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        super::deserialize(deserializer)
    }
}

impl<K: JsonForm + PartialEq, V: JsonForm> JsonSchema for Map<K, V> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        schema_name::<Self>()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        <Self as JsonForm>::schema(generator, Place::Alone)
    }
}
