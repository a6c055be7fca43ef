//! Integers: numbers in the range that every reader of JSON keeps exactly, otherwise digits.

use std::num::NonZero;

use otp_contract::representation::{SAFE, Special};
use otp_contract::schema::{self as contract, Predefined};
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::error::{beyond, expected};
use super::schema::{Document, reference};
use super::{JsonRepresentation, Position, schema, shape, standard_traits};
use crate::term::types::{Char, Integer};
use crate::term::{Bound, DecodeError, ErlangType};

/// An integer as JSON.
pub(super) fn integer(value: &Integer) -> Value {
    match i64::try_from(value) {
        Ok(small) => small_integer(small),
        Err(_) => shape::special(Special::Integer, value.to_string()),
    }
}

/// An integer of 64 bits as JSON.
pub(super) fn small_integer(value: i64) -> Value {
    if (-SAFE..=SAFE).contains(&value) {
        Value::from(value)
    } else {
        shape::special(Special::Integer, value.to_string())
    }
}

/// Returns the integer in `json`. In the position `Alone`, `1.0` is an integer, too, as in JSON
/// Schema.
pub(super) fn read_integer(json: &Value, position: Position) -> Option<Integer> {
    if let Value::Number(number) = json {
        let signed = number.as_i64().map(Integer::from);
        let whole = || number.as_f64().filter(|value| value.fract() == 0.0);
        let is_safe = |value: &f64| value.abs() <= SAFE as f64;
        return signed
            .or_else(|| number.as_u64().map(Integer::from))
            .or_else(|| match position {
                Position::Alone => whole()
                    .filter(is_safe)
                    .map(|value| Integer::from(value as i64)),
                Position::Member => None,
            });
    }
    let digits = shape::read_special(json, Special::Integer)?.as_str()?;
    let is_number = digits.strip_prefix('-').unwrap_or(digits).bytes();
    let is_number = is_number.len() > 0 && is_number.clone().all(|byte| byte.is_ascii_digit());
    let value: Option<Integer> = is_number.then(|| digits.parse().ok()).flatten();
    // An integer that numbers keep exactly is always written as a number.
    value.filter(|value| integer(value) == *json)
}

impl JsonRepresentation for Integer {
    fn to_json(&self, _position: Position) -> Value {
        integer(self)
    }

    fn from_json(json: &Value, position: Position) -> Result<Self, DecodeError> {
        read_integer(json, position).ok_or_else(|| expected::<Self>(json))
    }

    fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
        reference(generator, Predefined::Integer)
    }
}

fn within<T>(json: &Value, position: Position) -> Option<T>
where
    T: for<'a> TryFrom<&'a Integer>,
{
    T::try_from(&read_integer(json, position)?).ok()
}

/// Returns the error of JSON that is not one of the integers from `low` to `high`.
#[cold]
pub(super) fn misfit<T: ErlangType>(json: &Value, low: &Integer, high: &Integer) -> DecodeError {
    let value = read_integer(json, Position::Alone);
    match Bound::of::<T>(value.as_ref(), low, high) {
        Some(bound) => beyond::<T>(&bound, json),
        None => expected::<T>(json),
    }
}

macro_rules! integer_types {
    ($($type:ident: $schema:ident, $nonzero:ident;)*) => {$(
        impl JsonRepresentation for $type {
            fn to_json(&self, _position: Position) -> Value {
                integer(&Integer::from(*self))
            }

            fn from_json(json: &Value, position: Position) -> Result<Self, DecodeError> {
                let (low, high) = ($type::MIN.into(), $type::MAX.into());
                within(json, position).ok_or_else(|| misfit::<Self>(json, &low, &high))
            }

            fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
                $schema(generator, $type::MIN as i64, $type::MAX as i64)
            }
        }

        impl JsonRepresentation for NonZero<$type> {
            fn to_json(&self, position: Position) -> Value {
                self.get().to_json(position)
            }

            fn from_json(json: &Value, position: Position) -> Result<Self, DecodeError> {
                let (low, high) = ($type::MIN.into(), $type::MAX.into());
                let value = within(json, position).and_then(NonZero::<$type>::new);
                value.ok_or_else(|| misfit::<Self>(json, &low, &high))
            }

            fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
                $nonzero(generator, $type::MIN as i64, $type::MAX as i64)
            }
        }
    )*};
}

integer_types! {
    i8: range, around_zero;
    i16: range, around_zero;
    i32: range, around_zero;
    i64: any, any_but_zero;
    isize: any, any_but_zero;
    i128: any, any_but_zero;
    u8: range, from_one;
    u16: range, from_one;
    u32: range, from_one;
    u64: non_negative, positive;
    usize: non_negative, positive;
    u128: non_negative, positive;
}

/// Returns the schema of the integers from `low` to `high`.
pub(super) fn bounded(generator: &mut SchemaGenerator, low: i128, high: i128) -> Schema {
    schema::of(contract::bounded(&mut Document(generator), low, high))
}

fn bounds(low: i64, high: i64) -> Schema {
    schema::of(contract::range(low, high))
}

fn range(_generator: &mut SchemaGenerator, low: i64, high: i64) -> Schema {
    bounds(low, high)
}

fn from_one(_generator: &mut SchemaGenerator, _low: i64, high: i64) -> Schema {
    bounds(1, high)
}

fn around_zero(_generator: &mut SchemaGenerator, low: i64, high: i64) -> Schema {
    schema::union(vec![bounds(low, -1), bounds(1, high)])
}

fn any(generator: &mut SchemaGenerator, _low: i64, _high: i64) -> Schema {
    reference(generator, Predefined::Integer)
}

fn any_but_zero(generator: &mut SchemaGenerator, low: i64, high: i64) -> Schema {
    let mut schema = any(generator, low, high);
    schema.insert("not".to_owned(), serde_json::json!({ "const": 0 }));
    schema
}

fn non_negative(generator: &mut SchemaGenerator, _low: i64, _high: i64) -> Schema {
    reference(generator, Predefined::NonNegInteger)
}

fn positive(generator: &mut SchemaGenerator, _low: i64, _high: i64) -> Schema {
    reference(generator, Predefined::PosInteger)
}

/// The code point.
impl JsonRepresentation for Char {
    fn to_json(&self, position: Position) -> Value {
        self.code_point().to_json(position)
    }

    fn from_json(json: &Value, position: Position) -> Result<Self, DecodeError> {
        let value = within(json, position).and_then(Char::new);
        value.ok_or_else(|| expected::<Self>(json))
    }

    fn schema(_generator: &mut SchemaGenerator, _position: Position) -> Schema {
        bounds(0, 0x0010_FFFF)
    }
}

/// The code point.
impl JsonRepresentation for char {
    fn to_json(&self, position: Position) -> Value {
        Char::from(*self).to_json(position)
    }

    fn from_json(json: &Value, position: Position) -> Result<Self, DecodeError> {
        let Ok(character) = Char::from_json(json, position) else {
            return Err(expected::<Self>(json));
        };
        let character = char::from_u32(character.code_point());
        character.ok_or_else(|| beyond::<Self>(&Bound::RUST_CHAR, json))
    }

    fn schema(_generator: &mut SchemaGenerator, _position: Position) -> Schema {
        schema::union(vec![bounds(0, 0xD7FF), bounds(0xE000, 0x0010_FFFF)])
    }
}

standard_traits! {
    Integer as "integer()";
    Char as "char()";
}
