//! The JSON forms of terms that JSON lacks.
//!
//! An object is a map unless it has exactly one key, and that starts with `$`, or with `@` and a
//! letter. A key of a map that starts with `$` or `@` gets an additional `@` in front.

use std::borrow::Cow;

use otp_contract::representation::{Special, TUPLE};
pub(super) use otp_contract::representation::{atom, escaped, is_key, unescaped};
use otp_contract::schema::Names;
use serde_json::{Map, Value};

use crate::term::{KeyShape, Shape};

/// The meaning of an object.
pub(super) enum Object<'a> {
    /// `{"$add": [5]}`: the tag and the other elements; or `{"$": […]}`, with an empty tag.
    Tuple(&'a str, &'a [Value]),
    /// `{"@text": "…"}`
    Special(Special, &'a Value),
    /// An atom-keyed map, with its keys as they are written.
    Map(&'a Map<String, Value>),
    /// A tuple without an array, or an `@` with an unknown name.
    Unknown,
}

/// Returns the meaning of `object`.
pub(super) fn object(object: &Map<String, Value>) -> Object<'_> {
    let mut entries = object.iter();
    let (Some((key, value)), None) = (entries.next(), entries.next()) else {
        return match object.keys().all(|key| is_key(key)) {
            true => Object::Map(object),
            false => Object::Unknown,
        };
    };
    if let Some(tag) = key.strip_prefix(TUPLE) {
        return match value {
            Value::Array(elements) => Object::Tuple(tag, elements),
            _ => Object::Unknown,
        };
    }
    match Special::from_key(key) {
        Some(special) => Object::Special(special, value),
        None if is_key(key) => Object::Map(object),
        None => Object::Unknown,
    }
}

/// `{"@name": value}`
pub(super) fn special(special: Special, value: impl Into<Value>) -> Value {
    single(special.key().to_owned(), value.into())
}

/// Returns the value of `{"@name": value}`.
pub(super) fn read_special(json: &Value, special: Special) -> Option<&Value> {
    match object(json.as_object()?) {
        Object::Special(found, value) if found == special => Some(value),
        _ => None,
    }
}

/// Returns the entries of `{"@map": [[key, value], …]}`. A map of atoms is not written like this.
pub(super) fn read_pairs(json: &Value) -> Option<Vec<(&Value, &Value)>> {
    let pairs = read_special(json, Special::Map)?.as_array()?;
    let pair = |pair: &Value| matches!(pair.as_array().map(Vec::as_slice), Some([_, _]));
    let is_other = |pair: &Value| read_atom(&pair[0]).is_none();
    (pairs.iter().all(pair) && pairs.iter().any(is_other))
        .then(|| pairs.iter().map(|pair| (&pair[0], &pair[1])).collect())
}

/// Returns the map in `json`, with its keys as they are written.
pub(super) fn read_object(json: &Value) -> Option<&Map<String, Value>> {
    match object(json.as_object()?) {
        Object::Map(map) => Some(map),
        _ => None,
    }
}

/// Returns whether `json` represents a list.
pub(super) fn is_list(json: &Value) -> bool {
    let lists = [Special::String, Special::Improper];
    json.is_array() || lists.iter().any(|list| read_special(json, *list).is_some())
}

/// `{"$add": [5]}`
pub(super) fn tagged(tag: &str, mut elements: Vec<Value>) -> Value {
    if tag.is_empty() {
        elements.insert(0, Value::from(""));
    }
    single(format!("{TUPLE}{tag}"), Value::Array(elements))
}

/// `{"$": [1, 2]}`
pub(super) fn tuple(elements: Vec<Value>) -> Value {
    single(TUPLE.to_owned(), Value::Array(elements))
}

/// Returns the elements after the tag.
pub(super) fn read_tagged<'a>(json: &'a Value, tag: &str) -> Option<&'a [Value]> {
    let Object::Tuple(found, elements) = object(json.as_object()?) else {
        return None;
    };
    match elements {
        _ if found != tag => None,
        [Value::String(first), rest @ ..] if tag.is_empty() => first.is_empty().then_some(rest),
        _ if tag.is_empty() => None,
        elements => Some(elements),
    }
}

/// Returns the atom that is the only term of this shape.
pub(super) fn only_atom(shape: &Shape) -> Option<&'static str> {
    match shape {
        Shape::Atom(text) => Some(text),
        Shape::Union([only]) => only_atom(only),
        _ => None,
    }
}

/// Returns the atoms of this shape.
pub(super) fn names(shape: &Shape) -> Names {
    match shape {
        Shape::Any | Shape::Atoms => Names::Any,
        Shape::Atom(text) => Names::one(text),
        Shape::Some(all) => names(all),
        Shape::Union(members) => {
            let members = members.iter().map(names);
            members.fold(Names::none(), Names::and)
        }
        _ => Names::none(),
    }
}

/// Builds a tuple whose first element has this shape.
pub(super) fn tuple_of(first: &Shape, mut elements: Vec<Value>) -> Value {
    match only_atom(first) {
        Some(tag) => tagged(tag, elements.split_off(1)),
        None => tuple(elements),
    }
}

/// Returns all elements of a tuple whose first one has this shape.
pub(super) fn read_tuple_of<'a>(first: &Shape, json: &'a Value) -> Option<Vec<Cow<'a, Value>>> {
    let Some(tag) = only_atom(first) else {
        return read_tuple(json);
    };
    let rest = read_tagged(json, tag)?.iter().map(Cow::Borrowed);
    Some([Cow::Owned(atom(tag))].into_iter().chain(rest).collect())
}

/// Returns all elements of a tuple, in any of its forms.
pub(super) fn read_tuple(json: &Value) -> Option<Vec<Cow<'_, Value>>> {
    let Object::Tuple(tag, elements) = object(json.as_object()?) else {
        return None;
    };
    let first = (!tag.is_empty()).then(|| Cow::Owned(atom(tag)));
    Some(
        first
            .into_iter()
            .chain(elements.iter().map(Cow::Borrowed))
            .collect(),
    )
}

/// Returns whether those elements of a tuple and values of a map that must be a certain atom are
/// that atom. Other terms may have representations of their own.
pub(super) fn may_be(shape: &Shape, json: &Value) -> bool {
    let fits = |kind: &Shape, json: &Value| match kind {
        Shape::Atom(text) => read_atom(json) == Some(*text),
        _ => true,
    };
    match shape {
        Shape::Some(all) => may_be(all, json),
        Shape::Elements(kinds) => read_tuple(json).is_none_or(|elements| {
            let mut pairs = kinds.iter().zip(&elements);
            kinds.len() == elements.len() && pairs.all(|(kind, element)| fits(kind, element))
        }),
        Shape::Keys { keys, .. } => read_object(json).is_none_or(|entries| {
            let value = |key: &KeyShape| entries.get(&*escaped(key.key));
            keys.iter()
                .all(|key| value(key).is_none_or(|value| fits(&key.value, value)))
        }),
        _ => true,
    }
}

fn single(key: String, value: Value) -> Value {
    Value::Object(Map::from_iter([(key, value)]))
}

/// Returns the text of the atom in `json`.
pub(super) fn read_atom(json: &Value) -> Option<&str> {
    match json {
        Value::Null => Some("undefined"),
        Value::Bool(true) => Some("true"),
        Value::Bool(false) => Some("false"),
        Value::String(text) if !matches!(text.as_str(), "true" | "false" | "undefined") => {
            Some(text)
        }
        Value::String(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
    }
}
