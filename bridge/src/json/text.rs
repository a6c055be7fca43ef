//! Text, and types that are written as text.

use otp_contract::representation::Special;
use otp_contract::schema::{self as contract, Predefined};
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::bytes::binary;
use super::error::{beyond, expected};
use super::schema::reference;
use super::{JsonRepresentation, Keys, Position, schema, shape, standard_traits, term};
use crate::term::types::{ErlangString, Iodata};
use crate::term::{Bound, DecodeError, Term};

impl JsonRepresentation for Iodata {
    fn to_json(&self, _position: Position) -> Value {
        binary(&self.to_vec())
    }

    fn from_json(json: &Value, _position: Position) -> Result<Self, DecodeError> {
        term::from_json(json)?.decode()
    }

    fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
        reference(generator, Predefined::Iodata)
    }
}

/// A JSON string. In a union, where a string would be an atom, it is `{"@text": "…"}`.
impl JsonRepresentation for String {
    fn to_json(&self, position: Position) -> Value {
        match position {
            Position::Alone => Value::from(self.as_str()),
            Position::Member => shape::special(Special::Text, self.as_str()),
        }
    }

    fn from_json(json: &Value, position: Position) -> Result<Self, DecodeError> {
        let text = match position {
            Position::Alone => json.as_str(),
            Position::Member => shape::read_special(json, Special::Text).and_then(Value::as_str),
        };
        text.map(str::to_owned)
            .ok_or_else(|| match shape::read_special(json, Special::Base64) {
                Some(_) => beyond::<Self>(&Bound::UTF_8, json),
                None => expected::<Self>(json),
            })
    }

    fn schema(_generator: &mut SchemaGenerator, position: Position) -> Schema {
        let text = contract::string();
        schema::of(match position {
            Position::Alone => text,
            Position::Member => contract::special(Special::Text, text),
        })
    }

    fn keys() -> Keys {
        Keys::Texts
    }
}

/// `{"@string": "…"}`, because its characters are a list in Erlang.
impl JsonRepresentation for ErlangString {
    fn to_json(&self, _position: Position) -> Value {
        shape::special(Special::String, self.0.as_str())
    }

    fn from_json(json: &Value, _position: Position) -> Result<Self, DecodeError> {
        match shape::read_special(json, Special::String).and_then(Value::as_str) {
            Some(text) => Ok(ErlangString(text.to_owned())),
            // The dynamic term is written as a list.
            None => match term::from_json(json)? {
                list @ Term::List(_) => list.decode(),
                _ => Err(expected::<Self>(json)),
            },
        }
    }

    fn schema(_generator: &mut SchemaGenerator, _position: Position) -> Schema {
        schema::of(contract::characters(0))
    }
}

standard_traits! {
    Iodata as "iodata()";
    ErlangString as "string()";
}
