//! Atoms, booleans, floats and times.

use otp_contract::schema::{self as contract, Predefined};
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::error::{beyond, expected};
use super::integers::misfit;
use super::schema::reference;
use super::{JsonRepresentation, Keys, Position, schema, shape, standard_traits};
use crate::term::types::{Atom, AtomOrigin, Float, Timeout};
use crate::term::{Bound, DecodeError};

/// Returns the atom in `json`. It can become a term of the VM only if the VM already has it.
pub(super) fn read_atom(json: &Value) -> Option<Atom> {
    atom_of_text(shape::read_atom(json)?)
}

/// Returns the atom with this text.
pub(super) fn atom_of_text(text: &str) -> Option<Atom> {
    Atom::with_origin(text, AtomOrigin::Bytes).ok()
}

impl JsonRepresentation for Atom {
    fn to_json(&self, _position: Position) -> Value {
        shape::atom(self.text())
    }

    fn from_json(json: &Value, _position: Position) -> Result<Self, DecodeError> {
        read_atom(json).ok_or_else(|| expected::<Self>(json))
    }

    fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
        reference(generator, Predefined::Atom)
    }

    fn keys() -> Keys {
        Keys::Atoms
    }
}

impl JsonRepresentation for bool {
    fn to_json(&self, _position: Position) -> Value {
        Value::Bool(*self)
    }

    fn from_json(json: &Value, _position: Position) -> Result<Self, DecodeError> {
        json.as_bool().ok_or_else(|| expected::<Self>(json))
    }

    fn schema(_generator: &mut SchemaGenerator, _position: Position) -> Schema {
        schema::of(contract::boolean())
    }

    fn keys() -> Keys {
        Keys::Atoms
    }
}

/// Reads a number with a fraction. In a position where an integer is impossible, `1` is read as
/// `1.0`.
fn read_float(json: &Value, position: Position) -> Option<f64> {
    let Value::Number(number) = json else {
        return None;
    };
    let value = number.as_f64().filter(|value| value.is_finite())?;
    (number.is_f64() || position == Position::Alone).then_some(value)
}

impl JsonRepresentation for f64 {
    fn to_json(&self, _position: Position) -> Value {
        Value::from(*self)
    }

    fn from_json(json: &Value, position: Position) -> Result<Self, DecodeError> {
        read_float(json, position).ok_or_else(|| expected::<Self>(json))
    }

    fn schema(_generator: &mut SchemaGenerator, _position: Position) -> Schema {
        schema::of(contract::float())
    }
}

impl JsonRepresentation for f32 {
    fn to_json(&self, position: Position) -> Value {
        f64::from(*self).to_json(position)
    }

    fn from_json(json: &Value, position: Position) -> Result<Self, DecodeError> {
        let value = f64::from_json(json, position)? as f32;
        if value.is_finite() {
            Ok(value)
        } else {
            Err(beyond::<Self>(&Bound::SINGLE, json))
        }
    }

    fn schema(generator: &mut SchemaGenerator, position: Position) -> Schema {
        f64::schema(generator, position)
    }
}

impl JsonRepresentation for Float {
    fn to_json(&self, position: Position) -> Value {
        self.value().to_json(position)
    }

    fn from_json(json: &Value, position: Position) -> Result<Self, DecodeError> {
        let value = read_float(json, position).and_then(Float::new);
        value.ok_or_else(|| expected::<Self>(json))
    }

    fn schema(generator: &mut SchemaGenerator, position: Position) -> Schema {
        f64::schema(generator, position)
    }
}

impl JsonRepresentation for Timeout {
    fn to_json(&self, position: Position) -> Value {
        match self {
            Timeout::Milliseconds(milliseconds) => milliseconds.to_json(position),
            Timeout::Infinity => shape::atom("infinity"),
        }
    }

    fn from_json(json: &Value, position: Position) -> Result<Self, DecodeError> {
        if shape::read_atom(json) == Some("infinity") {
            return Ok(Timeout::Infinity);
        }
        let milliseconds = u64::from_json(json, position);
        milliseconds
            .map(Timeout::Milliseconds)
            .map_err(|_| misfit::<Self>(json, &0.into(), &u64::MAX.into()))
    }

    fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
        let milliseconds = reference(generator, Predefined::NonNegInteger);
        schema::union(vec![schema::atom("infinity"), milliseconds])
    }
}

standard_traits! {
    Atom as "atom()";
    Float as "float()";
    Timeout as "timeout()";
}

/// The representation of an atom that is a type, made by [`crate::atoms!`].
#[doc(hidden)]
#[macro_export]
macro_rules! __json_atom {
    ($name:ident, $text:expr) => {
        impl $crate::json::JsonRepresentation for $name {
            fn to_json(
                &self,
                _: $crate::json::Position,
            ) -> $crate::json::dependencies::serde_json::Value {
                $crate::json::derived::atom($text)
            }

            fn from_json(
                __otp_json: &$crate::json::dependencies::serde_json::Value,
                _: $crate::json::Position,
            ) -> ::std::result::Result<Self, $crate::term::DecodeError> {
                if $crate::json::derived::is_atom(__otp_json, $text) {
                    ::std::result::Result::Ok($name)
                } else {
                    ::std::result::Result::Err($crate::json::derived::expected::<Self>(__otp_json))
                }
            }

            fn schema(
                _: &mut $crate::json::dependencies::schemars::SchemaGenerator,
                _: $crate::json::Position,
            ) -> $crate::json::dependencies::schemars::Schema {
                $crate::json::schema::atom($text)
            }

            fn keys() -> $crate::json::Keys {
                $crate::json::Keys::Atoms
            }
        }
    };
}
