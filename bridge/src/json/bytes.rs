//! Binaries and bitstrings.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use otp_contract::representation::Special;
use otp_contract::schema::Predefined;
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::error::expected;
use super::schema::reference;
use super::{JsonRepresentation, Position, shape, standard_traits};
use crate::term::DecodeError;
use crate::term::types::{Binary, Bitstring};

/// Returns a binary as JSON: its text if it is UTF-8.
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

/// Returns the bytes of `{"@text": …}` or `{"@base64": …}`.
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
    // Whole bytes are a binary.
    Bitstring::new(bytes, digits.len()).filter(|bits| bits.as_bytes().is_none())
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

standard_traits! {
    Binary as "binary()";
    Bitstring as "bitstring()";
}
