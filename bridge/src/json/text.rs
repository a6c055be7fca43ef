//! Text, binaries and bitstrings

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use otp_contract::representation::Special;
use otp_contract::schema::{self as contract, Predefined};
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::definitions::reference;
use super::error::{expected, expected_text};
use super::{JsonRepresentation, Keys, Position, schema, shape, standard_traits, term};
use crate::term::types::{Binary, Bitstring, ErlangString, Iodata};
use crate::term::{DecodeError, Term};

/// A binary: its text where it is one.
pub(super) fn binary(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => shape::special(Special::Text, text),
        Err(_) => shape::special(Special::Base64, base64(bytes)),
    }
}

pub(super) fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

pub(super) fn from_base64(text: &Value) -> Option<Vec<u8>> {
    STANDARD.decode(text.as_str()?).ok()
}

/// The bytes of `{"@text": …}` or `{"@base64": …}`.
fn read_binary(json: &Value) -> Option<Vec<u8>> {
    if let Some(text) = shape::read_special(json, Special::Text) {
        return text.as_str().map(|text| text.as_bytes().to_vec());
    }
    from_base64(shape::read_special(json, Special::Base64)?)
}

pub(super) fn bitstring(bits: &Bitstring) -> Value {
    if let Some(bytes) = bits.as_bytes() {
        return binary(bytes);
    }
    let bit = |index: usize| bits.padded_bytes()[index / 8] >> (7 - index % 8) & 1;
    let digits: String = (0..bits.bit_count())
        .map(|index| if bit(index) == 1 { '1' } else { '0' })
        .collect();
    shape::special(Special::Bits, digits)
}

pub(super) fn read_bitstring(json: &Value) -> Option<Bitstring> {
    let Some(digits) = shape::read_special(json, Special::Bits) else {
        return read_binary(json).map(Bitstring::from);
    };
    let digits = digits.as_str()?.as_bytes();
    let mut bytes = vec![0_u8; digits.len().div_ceil(8)];
    for (index, digit) in digits.iter().enumerate() {
        match digit {
            b'0' => {}
            b'1' => bytes[index / 8] |= 0x80 >> (index % 8),
            _ => return None,
        }
    }
    Bitstring::new(bytes, digits.len())
}

impl JsonRepresentation for Binary {
    fn to_json(&self, _position: Position) -> Value {
        binary(self)
    }

    fn from_json(json: &Value, _position: Position) -> Result<Self, DecodeError> {
        let bytes = read_binary(json);
        bytes
            .map(Binary::from)
            .ok_or_else(|| expected::<Self>(json))
    }

    fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
        reference(generator, Predefined::Binary)
    }
}

/// As a [`Binary`].
impl JsonRepresentation for bytes::Bytes {
    fn to_json(&self, _position: Position) -> Value {
        binary(self)
    }

    fn from_json(json: &Value, position: Position) -> Result<Self, DecodeError> {
        Binary::from_json(json, position).map(Self::from)
    }

    fn schema(generator: &mut SchemaGenerator, position: Position) -> Schema {
        Binary::schema(generator, position)
    }
}

impl JsonRepresentation for Bitstring {
    fn to_json(&self, _position: Position) -> Value {
        bitstring(self)
    }

    fn from_json(json: &Value, _position: Position) -> Result<Self, DecodeError> {
        read_bitstring(json).ok_or_else(|| expected::<Self>(json))
    }

    fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
        reference(generator, Predefined::Bitstring)
    }
}

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

/// A JSON string; among a union's members, where that is an atom, `{"@text": "…"}`.
impl JsonRepresentation for String {
    fn to_json(&self, position: Position) -> Value {
        match position {
            Position::Alone => Value::from(self.as_str()),
            Position::Member => shape::special(Special::Text, self.as_str()),
        }
    }

    fn from_json(json: &Value, position: Position) -> Result<Self, DecodeError> {
        let text = match (json, position) {
            (Value::String(text), Position::Alone) => Some(text.as_str()),
            _ => shape::read_special(json, Special::Text).and_then(Value::as_str),
        };
        text.map(str::to_owned)
            .ok_or_else(|| expected_text("a binary() of UTF-8", json))
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

/// `{"@string": "…"}`: its characters are a list in Erlang.
impl JsonRepresentation for ErlangString {
    fn to_json(&self, _position: Position) -> Value {
        shape::special(Special::String, self.0.as_str())
    }

    fn from_json(json: &Value, _position: Position) -> Result<Self, DecodeError> {
        match shape::read_special(json, Special::String).and_then(Value::as_str) {
            Some(text) => Ok(ErlangString(text.to_owned())),
            // The dynamic term writes the list.
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
    Binary as "binary()";
    Bitstring as "bitstring()";
    Iodata as "iodata()";
    ErlangString as "string()";
}
