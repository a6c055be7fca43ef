//! Functions and types for the code of `derive(Term)`.

use std::borrow::Cow;
use std::marker::PhantomData;

use otp_contract::schema::Predefined;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};

pub use super::attempts::Attempts;
pub use super::entries::{Entries, object};
pub use super::error::expected;
use super::error::expected_text;
use super::{JsonRepresentation, Keys, Position, schema, shape, term};
use crate::term::{DecodeError, FromTerm, Shape, Term, ToTerm};

/// Finds the representation of a field's type: `(&&JsonProbe::<T>::new()).representation()`.
///
/// For a type with [`JsonRepresentation`], method lookup finds [`ViaRepresentation`]. For one
/// without, it finds [`ViaTerm`], whose representation is that of the dynamic term. So a user's
/// type with a hand-written `ToTerm` needs no more code, whichever crate enables the feature. If
/// the type is not a term, lookup finds [`ViaNothing`]: then the derive's other code does not
/// compile, and the compiler reports it once.
pub struct JsonProbe<T: ?Sized>(PhantomData<fn(&T)>);

impl<T> JsonProbe<T> {
    /// Creates the probe.
    #[must_use]
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        JsonProbe(PhantomData)
    }
}

/// The representation of a field's type.
pub struct Representation<T> {
    /// [`JsonRepresentation::to_json`]
    pub to_json: fn(&T, Position) -> Value,
    /// [`JsonRepresentation::from_json`]
    pub from_json: fn(&Value, Position) -> Result<T, DecodeError>,
    /// [`JsonRepresentation::schema`]
    pub schema: fn(&mut SchemaGenerator, Position) -> Schema,
    /// [`JsonRepresentation::keys`]
    pub keys: fn() -> Keys,
    /// [`FromTerm::KIND`]
    pub shape: Shape,
    /// [`crate::ErlangType::erlang_type`]
    pub erlang_type: fn() -> String,
}

/// The representation of a type with [`JsonRepresentation`].
pub trait ViaRepresentation<T> {
    /// Returns its representation.
    fn representation(&self) -> Representation<T>;
}

impl<T: JsonRepresentation> ViaRepresentation<T> for &JsonProbe<T> {
    fn representation(&self) -> Representation<T> {
        Representation {
            to_json: T::to_json,
            from_json: T::from_json,
            schema: T::schema,
            keys: T::keys,
            shape: T::KIND,
            erlang_type: T::erlang_type,
        }
    }
}

/// The representation of every other type that is a term.
pub trait ViaTerm<T> {
    /// Returns its representation.
    fn representation(&self) -> Representation<T>;
}

impl<T: ToTerm + FromTerm> ViaTerm<T> for &&JsonProbe<T> {
    fn representation(&self) -> Representation<T> {
        Representation {
            to_json: |value, _| term::to_json(&Term::of(value)),
            from_json: |json, _| term::from_json(json)?.decode(),
            schema: |generator, _| schema::reference(generator, Predefined::Term),
            keys: || Keys::Mixed,
            shape: Shape::Any,
            erlang_type: T::erlang_type,
        }
    }
}

/// The stand-in for the representation of a type that is not a term.
pub trait ViaNothing<T> {
    /// Never called: a derive on such a type does not compile.
    fn representation(&self) -> Representation<T>;
}

impl<T> ViaNothing<T> for JsonProbe<T> {
    fn representation(&self) -> Representation<T> {
        Representation {
            to_json: |_, _| Value::Null,
            from_json: |json, _| Err(expected_text("term()", json)),
            schema: |generator, _| schema::reference(generator, Predefined::Term),
            keys: || Keys::Mixed,
            shape: Shape::Any,
            erlang_type: || "term()".to_owned(),
        }
    }
}

/// `tag`
#[must_use]
pub fn atom(tag: &str) -> Value {
    shape::atom(tag)
}

/// Returns whether `json` is the atom.
#[must_use]
pub fn is_atom(json: &Value, tag: &str) -> bool {
    shape::read_atom(json) == Some(tag)
}

/// `{tag, …}`
#[must_use]
pub fn tagged(tag: &str, elements: Vec<Value>) -> Value {
    shape::tagged(tag, elements)
}

/// Returns the elements after the tag, if there are `count` of them.
#[must_use]
pub fn tagged_elements<'a>(json: &'a Value, tag: &str, count: usize) -> Option<&'a [Value]> {
    shape::read_tagged(json, tag).filter(|elements| elements.len() == count)
}

/// Builds `{…}`, whose first element has this shape.
#[must_use]
pub fn tuple(first: &Shape, elements: Vec<Value>) -> Value {
    shape::tuple_of(first, elements)
}

/// Returns the elements of a tuple whose first one has this shape, if there are `count` of them.
#[must_use]
pub fn tuple_elements<'a>(
    first: &Shape,
    json: &'a Value,
    count: usize,
) -> Option<Vec<Cow<'a, Value>>> {
    shape::read_tuple_of(first, json).filter(|elements| elements.len() == count)
}

/// Reads the element of a tuple at `position`, counted from 0 with the tag.
///
/// # Errors
/// The element has another type.
pub fn read_element<T>(
    representation: &Representation<T>,
    element: &Value,
    position: usize,
) -> Result<T, DecodeError> {
    (representation.from_json)(element, Position::Alone).map_err(|error| error.at_element(position))
}

/// Builds a map of these entries and of those in `rest`.
#[must_use]
pub fn object_with_rest(object: Map<String, Value>, rest: Value) -> Value {
    if let Some(pairs) = shape::read_pairs(&rest) {
        let known = object
            .into_iter()
            .map(|(key, value)| (shape::atom(shape::unescaped(&key)), value));
        let others = pairs
            .into_iter()
            .map(|(key, value)| (key.clone(), value.clone()));
        return term::write_pairs(known.chain(others).collect());
    }
    match rest {
        Value::Object(mut all) => {
            all.extend(object);
            Value::Object(all)
        }
        _ => Value::Object(object),
    }
}

/// Rejects a map with other keys.
///
/// # Errors
/// The map has other keys.
pub fn refuse_other_keys(rest: &Value) -> Result<(), DecodeError> {
    let pairs = shape::read_pairs(rest);
    let first = pairs.as_ref().and_then(|pairs| pairs.first());
    let object = shape::read_object(rest).and_then(|object| object.iter().next());
    match (first, object) {
        (Some((key, value)), _) => {
            Err(expected_text("no such key", value).at_field(key.to_string()))
        }
        (None, Some((key, value))) => {
            let key = shape::unescaped(key).to_owned();
            Err(expected_text("no such key", value).at_field(key))
        }
        (None, None) => Ok(()),
    }
}

/// Adds an entry to a map.
pub fn put(object: &mut Map<String, Value>, key: &str, value: Value) {
    object.insert(shape::escaped(key).into_owned(), value);
}

/// Reads the value of a required key of a map.
///
/// # Errors
/// The key is missing, or its value has another type.
pub fn read_key<T>(
    representation: &Representation<T>,
    object: &Map<String, Value>,
    key: &'static str,
) -> Result<T, DecodeError> {
    match read_optional_key(representation, object, key)? {
        Some(value) => Ok(value),
        None => {
            let expected = (representation.erlang_type)();
            Err(DecodeError::new(expected, "no such key").at_field(key))
        }
    }
}

/// Reads the value of an optional key of a map.
///
/// # Errors
/// The value has another type.
pub fn read_optional_key<T>(
    representation: &Representation<T>,
    object: &Map<String, Value>,
    key: &'static str,
) -> Result<Option<T>, DecodeError> {
    let value = object.get(&*shape::escaped(key));
    let read = value.map(|value| (representation.from_json)(value, Position::Alone));
    read.transpose().map_err(|error| error.at_field(key))
}

/// Returns whether `json` may be the member with this number of the union `T`. It cannot be if its
/// atoms differ.
#[must_use]
pub fn may_be_member<T: FromTerm>(json: &Value, member: usize) -> bool {
    match T::SHAPE {
        Shape::Union(members) => members.get(member).is_none_or(|it| shape::may_be(it, json)),
        _ => true,
    }
}

/// Returns a name for the schema of a type: that of the type and of its arguments, without modules.
#[must_use]
pub fn schema_name<T: ?Sized>() -> Cow<'static, str> {
    let full = std::any::type_name::<T>();
    let words =
        full.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | ':'));
    let words = words.filter_map(|word| word.rsplit("::").next());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("_").into()
}
