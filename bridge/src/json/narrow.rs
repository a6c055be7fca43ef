//! Types that narrow others: their JSON is that of their term, their schema says how far it goes

use otp_contract::representation::Special;
use otp_contract::schema::{self as contract, Predefined};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::integers::{bounded, misfit};
use super::schema::{Document, reference};
use super::{JsonRepresentation, Keys, Position, schema, standard_traits};
use crate::term::DecodeError;
use crate::term::types::{
    Bits, EmptyMap, FunOf, FunSignature, Identifier, Integer, Iolist, Literal, MaybeImproperList,
    Never, Nil, NonemptyImproperList, NonemptyList, NonemptyString, Number, Pid, Port, Ranged,
    Reference, Tuple,
};

fn term(generator: &mut SchemaGenerator) -> Value {
    reference(generator, Predefined::Term).to_value()
}

impl JsonRepresentation for Tuple {
    fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
        schema::of(contract::any_tuple(&term(generator)))
    }
}

impl<const SIZE: u64, const UNIT: u64> JsonRepresentation for Bits<SIZE, UNIT> {
    fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
        if SIZE.is_multiple_of(8) && UNIT.is_multiple_of(8) {
            reference(generator, Predefined::Binary)
        } else {
            reference(generator, Predefined::Bitstring)
        }
    }
}

impl JsonRepresentation for Nil {
    fn schema(_generator: &mut SchemaGenerator, _position: Position) -> Schema {
        schema::of(contract::array(Vec::new()))
    }
}

impl JsonRepresentation for EmptyMap {
    fn schema(_generator: &mut SchemaGenerator, _position: Position) -> Schema {
        schema::map(Vec::new())
    }
}

impl<S: FunSignature> JsonRepresentation for FunOf<S> {
    fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
        reference(generator, Predefined::Fun)
    }
}

impl JsonRepresentation for Identifier {
    fn schema(generator: &mut SchemaGenerator, position: Position) -> Schema {
        schema::union(vec![
            Pid::schema(generator, position),
            Port::schema(generator, position),
            Reference::schema(generator, position),
        ])
    }
}

impl JsonRepresentation for Iolist {
    fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
        let lists = contract::lists_of_iodata(&mut Document(generator));
        schema::of(contract::union(lists))
    }
}

impl<const N: i128> JsonRepresentation for Literal<N> {
    fn schema(_generator: &mut SchemaGenerator, _position: Position) -> Schema {
        json_schema!({ "const": super::integers::integer(&Integer::from(N)) })
    }
}

impl JsonRepresentation for Never {
    fn schema(_generator: &mut SchemaGenerator, _position: Position) -> Schema {
        schema::of(Value::Bool(false))
    }
}

impl<T: JsonRepresentation> JsonRepresentation for NonemptyList<T> {
    fn to_json(&self, _position: Position) -> Value {
        let element = |element: &T| element.to_json(Position::Alone);
        Value::Array(self.iter().map(element).collect())
    }

    fn from_json(json: &Value, position: Position) -> Result<Self, DecodeError> {
        let elements = Vec::from_json(json, position)?;
        NonemptyList::try_from(elements).map_err(|_| super::error::expected::<Self>(json))
    }

    fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
        let items = T::schema(generator, Position::Alone);
        schema::of(contract::nonempty_list(&items.to_value()))
    }
}

/// `{"@string": "…"}`
impl JsonRepresentation for NonemptyString {
    fn to_json(&self, _position: Position) -> Value {
        super::shape::special(Special::String, &**self)
    }

    fn schema(_generator: &mut SchemaGenerator, _position: Position) -> Schema {
        schema::of(contract::characters(1))
    }
}

/// The elements as in the dynamic term, where the tail stands apart from them.
impl<T: JsonRepresentation, Tail: JsonRepresentation> JsonRepresentation
    for MaybeImproperList<T, Tail>
{
    fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
        let term = term(generator);
        schema::of(contract::union(vec![
            contract::list(&term),
            contract::improper(&term),
        ]))
    }
}

impl<T: JsonRepresentation, Tail: JsonRepresentation> JsonRepresentation
    for NonemptyImproperList<T, Tail>
{
    fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
        schema::of(contract::improper(&term(generator)))
    }
}

/// `1` is the integer, `1.0` the float.
impl JsonRepresentation for Number {
    fn schema(generator: &mut SchemaGenerator, position: Position) -> Schema {
        schema::union(vec![
            Integer::schema(generator, position),
            f64::schema(generator, position),
        ])
    }
}

impl<I, const LOW: i128, const HIGH: i128> JsonRepresentation for Ranged<I, LOW, HIGH>
where
    I: JsonRepresentation + Copy + Into<i128>,
{
    fn to_json(&self, position: Position) -> Value {
        self.get().to_json(position)
    }

    fn from_json(json: &Value, position: Position) -> Result<Self, DecodeError> {
        let value = I::from_json(json, position).ok().and_then(Self::new);
        value.ok_or_else(|| misfit::<Self>(json, &LOW.into(), &HIGH.into()))
    }

    fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
        bounded(generator, LOW, HIGH)
    }

    fn keys() -> Keys {
        Keys::Mixed
    }
}

standard_traits! {
    Tuple as "tuple()";
    Nil as "[]";
    EmptyMap as "#{}";
    Identifier as "identifier()";
    Iolist as "iolist()";
    Never as "none()";
    NonemptyString as "nonempty_string()";
    Number as "number()";
}
