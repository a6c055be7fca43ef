//! The representation of the dynamic term.

use otp_contract::representation::Special;
use otp_contract::schema::Predefined;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};

use super::bytes::{binary, bitstring, read_bitstring};
use super::error::expected_text;
use super::identifiers::{
    fun, pid, port, read_fun, read_pid, read_port, read_reference, reference_text,
};
use super::integers::{integer, read_integer, small_integer};
use super::scalars::{atom_of_text, read_atom};
use super::schema::reference;
use super::shape::{self, Object};
use super::{JsonRepresentation, Position, standard_traits};
use crate::term::types::{Float, Integer};
use crate::term::{DecodeError, Heap, ImproperList, OwnedHeap, Term, TermMap, deeper, guard_depth};

pub(super) fn to_json(term: &Term) -> Value {
    match term {
        Term::Atom(atom) => shape::atom(atom.text()),
        Term::Integer(value) => small_integer(*value),
        Term::BigInteger(value) => integer(value),
        Term::Float(value) => Value::from(value.value()),
        Term::Binary(bytes) => binary(bytes),
        Term::Bitstring(bits) => bitstring(bits),
        Term::List(elements) => deeper(|| Value::Array(elements.iter().map(to_json).collect())),
        Term::ImproperList(list) => {
            let parts = list.elements().iter().chain([list.tail()]);
            let parts = deeper(|| parts.map(to_json).collect::<Vec<_>>());
            shape::special(Special::Improper, parts)
        }
        Term::Tuple(elements) => deeper(|| tuple(elements)),
        Term::Map(entries) => deeper(|| map(entries)),
        Term::Pid(identifier) => pid(identifier),
        Term::Port(identifier) => port(identifier),
        Term::Reference(identifier) => reference_text(identifier),
        Term::Fun(identifier) => fun(identifier),
    }
}

fn tuple(elements: &[Term]) -> Value {
    match elements.split_first() {
        Some((Term::Atom(tag), rest)) => {
            shape::tagged(tag.text(), rest.iter().map(to_json).collect())
        }
        _ => shape::tuple(elements.iter().map(to_json).collect()),
    }
}

/// Returns the JSON of a map of any terms.
fn map(entries: &TermMap) -> Value {
    let written: Vec<(Value, Value)> = entries
        .iter()
        .map(|(key, value)| (to_json(key), to_json(value)))
        .collect();
    write_map(written)
}

/// Returns the JSON of a map of these entries: an object if all keys are atoms.
pub(super) fn write_map(entries: Vec<(Value, Value)>) -> Value {
    let are_atoms = entries
        .iter()
        .all(|(key, _)| shape::read_atom(key).is_some());
    if are_atoms {
        let entry = |(key, value): (Value, Value)| {
            let key = shape::read_atom(&key).unwrap_or_default();
            (shape::escaped(key).into_owned(), value)
        };
        return Value::Object(entries.into_iter().map(entry).collect());
    }
    write_pairs(entries)
}

/// `{"@map": [[key, value], …]}`, with the keys in Erlang's order: equal maps have equal JSON.
pub(super) fn write_pairs(mut entries: Vec<(Value, Value)>) -> Value {
    entries.sort_by_cached_key(|(key, _)| from_json(key).ok());
    let pair = |(key, value)| Value::Array(vec![key, value]);
    shape::special(
        Special::Map,
        entries.into_iter().map(pair).collect::<Vec<_>>(),
    )
}

/// Reads a term from its representation.
pub(super) fn from_json(json: &Value) -> Result<Term, DecodeError> {
    let other = || expected_text("term()", json);
    match json {
        Value::Null | Value::Bool(_) | Value::String(_) => {
            read_atom(json).map(Term::Atom).ok_or_else(other)
        }
        Value::Number(_) => read_number(json).ok_or_else(other),
        Value::Array(elements) => {
            guard_depth(|| read_all(elements)).map(|elements| Term::List(elements.into()))
        }
        Value::Object(object) => guard_depth(|| match shape::object(object) {
            Object::Tuple(..) => match shape::read_tuple(json) {
                Some(elements) => read_tuple(&elements),
                None => Err(other()),
            },
            Object::Special(special, value) => match read_special(json, special, value)? {
                Some(term) => Ok(term),
                None => Err(other()),
            },
            Object::Map(object) => read_object(object),
            Object::Unknown => Err(other()),
        }),
    }
}

fn read_number(json: &Value) -> Option<Term> {
    match read_integer(json, Position::Member) {
        Some(value) => Some(of_integer(&value)),
        None => Float::new(json.as_f64()?).map(Term::Float),
    }
}

fn of_integer(value: &Integer) -> Term {
    OwnedHeap.big_integer(value)
}

fn read_all(elements: &[Value]) -> Result<Vec<Term>, DecodeError> {
    let read =
        |(index, element)| from_json(element).map_err(|error: DecodeError| error.at_index(index));
    elements.iter().enumerate().map(read).collect()
}

fn read_tuple(elements: &[std::borrow::Cow<'_, Value>]) -> Result<Term, DecodeError> {
    let elements: Result<Vec<Term>, _> = elements
        .iter()
        .enumerate()
        .map(|(index, element)| from_json(element).map_err(|error| error.at_element(index)))
        .collect();
    elements.map(|elements| Term::Tuple(elements.into()))
}

fn read_object(object: &Map<String, Value>) -> Result<Term, DecodeError> {
    let mut entries = Vec::new();
    for (key, value) in object {
        let key = shape::unescaped(key);
        let atom = atom_of_text(key).ok_or_else(|| expected_text("atom()", &Value::from(key)))?;
        let value = from_json(value).map_err(|error| error.at_field(key.to_owned()))?;
        entries.push((Term::Atom(atom), value));
    }
    Ok(Term::Map(entries.into_iter().collect()))
}

/// Reads the term of `{"@name": value}`, which is `json`.
fn read_special(
    json: &Value,
    special: Special,
    value: &Value,
) -> Result<Option<Term>, DecodeError> {
    Ok(match special {
        Special::Integer => read_integer(json, Position::Member).map(|value| of_integer(&value)),
        Special::Text | Special::Base64 | Special::Bits => {
            read_bitstring(json).map(|bits| OwnedHeap.bitstring(&bits))
        }
        Special::String => value.as_str().map(|text| {
            let code_points = text
                .chars()
                .map(|letter| Term::Integer(u32::from(letter).into()));
            Term::List(code_points.collect())
        }),
        Special::Improper => match value.as_array().map(|parts| read_all(parts)).transpose()? {
            // A tail alone is a term of its own, and with a list as the tail it would be a proper
            // list. Both have other representations.
            Some(mut parts) if parts.len() > 1 => parts
                .pop()
                .filter(|tail| !matches!(tail, Term::List(_) | Term::ImproperList(_)))
                .map(|tail| ImproperList::term(parts, tail)),
            _ => None,
        },
        Special::Map => match shape::read_pairs(json) {
            Some(pairs) => {
                let read = |(key, value)| Ok((from_json(key)?, from_json(value)?));
                let count = pairs.len();
                let entries: Result<TermMap, DecodeError> = pairs.into_iter().map(read).collect();
                // Otherwise a key occurs twice.
                Some(entries?)
                    .filter(|map| map.len() == count)
                    .map(Term::Map)
            }
            None => None,
        },
        Special::Pid => read_pid(json).map(Term::Pid),
        Special::Port => read_port(json).map(Term::Port),
        Special::Reference => read_reference(json).map(Term::Reference),
        Special::Fun => read_fun(json).map(Term::Fun),
    })
}

impl JsonRepresentation for Term {
    fn to_json(&self, _position: Position) -> Value {
        to_json(self)
    }

    fn from_json(json: &Value, _position: Position) -> Result<Self, DecodeError> {
        from_json(json)
    }

    fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
        reference(generator, Predefined::Term)
    }
}

standard_traits! {
    Term as "term()";
}
