//! The JSON representation of Erlang terms, with the cargo feature `json`.
//!
//! Every type with `#[derive(Term)]`, and every generated one, implements [`serde::Serialize`],
//! [`serde::Deserialize`] and [`schemars::JsonSchema`]. `docs/json.md` describes the representation
//! of each value. In short, a term that JSON can express is written in JSON's own notation. Any
//! other term is an object with one key, which starts with `$` (a tuple) or `@` (any other term):
//!
//! ```
//! # use otp_bridge_novm as _;
//! use otp_bridge::{Term, json::Json};
//!
//! #[derive(Debug, PartialEq, Term)]
//! enum Request { Get, Add(u64) }                          // get | {add, non_neg_integer()}
//!
//! assert_eq!(serde_json::to_string(&Request::Get)?, r#""get""#);
//! assert_eq!(serde_json::to_string(&Request::Add(5))?, r#"{"$add":[5]}"#);
//! let Json(requests) = serde_json::from_str::<Json<Vec<Request>>>(r#"["get"]"#)?;
//! assert_eq!(requests, [Request::Get]);
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! Types that serde itself supports (`u64`, `String`, `Vec<T>`) have this representation inside a
//! type that derives `Term`. To get it for such a type alone, use [`Json`] or
//! `#[serde(with = "otp_bridge::json")]`.

pub mod derived;
pub mod schema;

mod attempts;
mod bytes;
mod containers;
mod entries;
mod error;
mod identifiers;
mod integers;
mod map;
mod narrow;
mod scalars;
mod shape;
mod term;
mod text;

use std::borrow::Cow;

use otp_contract::schema::Predefined;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::term::{DecodeError, FromTerm, Term, ToTerm};

/// Names that derived code uses.
#[doc(hidden)]
pub mod dependencies {
    pub use schemars;
    pub use serde;
    pub use serde_json;
}

/// The position of a value in a type, which decides how plainly it may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Its type is known from the position: a field, an element, a whole document.
    Alone,
    /// It is one of a union's members, and its JSON must differ from the others': a text, which
    /// would look like an atom, is written `{"@text": …}`.
    Member,
}

/// The keys of a map, which decide how the map is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// Atoms only: the map is an object.
    Atoms,
    /// Texts only: the map is an object in the position `Alone`.
    Texts,
    /// Any terms: the map is an object if all its keys are atoms.
    Mixed,
}

/// A type with a JSON representation.
///
/// A type that has only an Erlang shape can use the representation of the dynamic [`Term`]:
/// `impl JsonRepresentation for Mine {}`. Fields of derived types do not even need that.
pub trait JsonRepresentation: ToTerm + FromTerm {
    /// Returns the value as JSON. A float that is infinite or NaN, which Erlang does not have, is
    /// `null`.
    fn to_json(&self, position: Position) -> Value {
        let _ = position;
        term::to_json(&Term::of(self))
    }

    /// Reads the value in `json`.
    ///
    /// # Errors
    /// `json` does not represent a value of this type; the error's path leads to the wrong part.
    fn from_json(json: &Value, position: Position) -> Result<Self, DecodeError> {
        let _ = position;
        term::from_json(json)?.decode()
    }

    /// Returns the schema of the representation, in the dialect of 2020-12.
    fn schema(generator: &mut SchemaGenerator, position: Position) -> Schema {
        let _ = position;
        schema::reference(generator, Predefined::Term)
    }

    /// Returns the representation of maps with keys of this type.
    fn keys() -> Keys {
        Keys::Mixed
    }
}

/// Any value with a JSON representation, as a type for serde and schemars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Json<T>(
    /// The value.
    pub T,
);

impl<T: JsonRepresentation> Serialize for Json<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(&self.0, serializer)
    }
}

impl<'de, T: JsonRepresentation> Deserialize<'de> for Json<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer).map(Json)
    }
}

impl<T: JsonRepresentation> JsonSchema for Json<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        derived::schema_name::<T>()
    }

    fn schema_id() -> Cow<'static, str> {
        std::any::type_name::<Self>().into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::schema(generator, Position::Alone)
    }
}

/// Serializes the representation of a value.
///
/// # Errors
/// The errors of the serializer.
pub fn serialize<T: JsonRepresentation, S: Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.to_json(Position::Alone).serialize(serializer)
}

/// Deserializes a value from its representation.
///
/// # Errors
/// The errors of the deserializer, and JSON that does not represent a value of the type.
pub fn deserialize<'de, T: JsonRepresentation, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let json = Value::deserialize(deserializer)?;
    T::from_json(&json, Position::Alone).map_err(serde::de::Error::custom)
}

/// serde's and schemars's traits for types of this crate that have a representation.
macro_rules! standard_traits {
    ($($type:ty as $name:literal;)*) => {$(
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::json::serialize(self, serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::json::deserialize(deserializer)
            }
        }

        impl schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                $name.into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                <$type as $crate::json::JsonRepresentation>::schema(generator, $crate::json::Position::Alone)
            }
        }
    )*};
}
use standard_traits;
