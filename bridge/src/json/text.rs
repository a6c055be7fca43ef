//! Text, binaries and bitstrings

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use otp_contract::schema::{self as contract, Predefined};
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::definitions::reference;
use super::refusal::{expected, expected_text};
use super::{JsonForm, Keys, Place, schema, shape, standard_traits, term};
use crate::term::types::{Binary, Bitstring, ErlangString, Iodata};
use crate::term::{DecodeError, Term};

/// A binary: its text where it is one.
pub(super) fn binary(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => shape::special("text", text),
        Err(_) => shape::special("base64", base64(bytes)),
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
    if let Some(text) = shape::read_special(json, "text") {
        return text.as_str().map(|text| text.as_bytes().to_vec());
    }
    from_base64(shape::read_special(json, "base64")?)
}

pub(super) fn bitstring(bits: &Bitstring) -> Value {
    if let Some(bytes) = bits.as_bytes() {
        return binary(bytes);
    }
    let bit = |index: usize| bits.padded_bytes()[index / 8] >> (7 - index % 8) & 1;
    let digits: String = (0..bits.bit_count())
        .map(|index| if bit(index) == 1 { '1' } else { '0' })
        .collect();
    shape::special("bits", digits)
}

pub(super) fn read_bitstring(json: &Value) -> Option<Bitstring> {
    let Some(digits) = shape::read_special(json, "bits") else {
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

impl JsonForm for Binary {
    fn to_json(&self, _place: Place) -> Value {
        binary(&self.0)
    }

    fn from_json(json: &Value, _place: Place) -> Result<Self, DecodeError> {
        let bytes = read_binary(json);
        bytes.map(Binary).ok_or_else(|| expected::<Self>(json))
    }

    fn schema(generator: &mut SchemaGenerator, _place: Place) -> Schema {
        reference(generator, Predefined::Binary)
    }
}

impl JsonForm for Bitstring {
    fn to_json(&self, _place: Place) -> Value {
        bitstring(self)
    }

    fn from_json(json: &Value, _place: Place) -> Result<Self, DecodeError> {
        read_bitstring(json).ok_or_else(|| expected::<Self>(json))
    }

    fn schema(generator: &mut SchemaGenerator, _place: Place) -> Schema {
        reference(generator, Predefined::Bitstring)
    }
}

impl JsonForm for Iodata {
    fn to_json(&self, _place: Place) -> Value {
        binary(&self.0)
    }

    fn from_json(json: &Value, _place: Place) -> Result<Self, DecodeError> {
        term::from_json(json)?.decode()
    }

    fn schema(generator: &mut SchemaGenerator, _place: Place) -> Schema {
        reference(generator, Predefined::Iodata)
    }
}

/// A JSON string; among a union's members, where that is an atom, `{"@text": "…"}`.
impl JsonForm for String {
    fn to_json(&self, place: Place) -> Value {
        match place {
            Place::Alone => Value::from(self.as_str()),
            Place::Member => shape::special("text", self.as_str()),
        }
    }

    fn from_json(json: &Value, place: Place) -> Result<Self, DecodeError> {
        let text = match (json, place) {
            (Value::String(text), Place::Alone) => Some(text.as_str()),
            _ => shape::read_special(json, "text").and_then(Value::as_str),
        };
        text.map(str::to_owned)
            .ok_or_else(|| expected_text("a binary() of UTF-8", json))
    }

    fn schema(_generator: &mut SchemaGenerator, place: Place) -> Schema {
        let text = contract::string();
        schema::of(match place {
            Place::Alone => text,
            Place::Member => contract::special("text", text),
        })
    }

    fn keys() -> Keys {
        Keys::Texts
    }
}

/// `{"@string": "…"}`: its characters are a list in Erlang.
impl JsonForm for ErlangString {
    fn to_json(&self, _place: Place) -> Value {
        shape::special("string", self.0.as_str())
    }

    fn from_json(json: &Value, _place: Place) -> Result<Self, DecodeError> {
        match shape::read_special(json, "string").and_then(Value::as_str) {
            Some(text) => Ok(ErlangString(text.to_owned())),
            // The dynamic term writes the list.
            None => match term::from_json(json)? {
                list @ Term::List(_) => list.decode(),
                _ => Err(expected::<Self>(json)),
            },
        }
    }

    fn schema(_generator: &mut SchemaGenerator, _place: Place) -> Schema {
        schema::of(contract::characters(0))
    }
}

standard_traits! {
    Binary as "binary()";
    Bitstring as "bitstring()";
    Iodata as "iodata()";
    ErlangString as "string()";
}
