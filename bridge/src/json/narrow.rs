//! Types that narrow others: their JSON is that of their term, and their schema has the limits.

use otp_contract::representation::Special;
use otp_contract::schema::{self as contract, Predefined};
use schemars::{Schema, SchemaGenerator};
use serde_json::{Value, json};

use super::error::expected;
use super::integers::{bounded, misfit};
use super::schema::{Document, reference};
use super::{JsonRepresentation, Keys, Position, schema, shape, standard_traits};
use crate::term::types::{
    Bits, EmptyMap, FunOf, FunSignature, Identifier, Integer, Iolist, Literal, MaybeImproperList,
    Never, Nil, NonemptyImproperList, NonemptyList, NonemptyString, Number, Pid, Port, Ranged,
    Reference, Tuple,
};
use crate::term::{DecodeError, deeper, guard_depth};

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
    fn from_json(json: &Value, _position: Position) -> Result<Self, DecodeError> {
        match json.as_array() {
            Some(elements) if elements.is_empty() => Ok(Nil),
            _ => Err(expected::<Self>(json)),
        }
    }

    fn schema(_generator: &mut SchemaGenerator, _position: Position) -> Schema {
        schema::of(contract::array(Vec::new()))
    }
}

impl JsonRepresentation for EmptyMap {
    fn from_json(json: &Value, _position: Position) -> Result<Self, DecodeError> {
        match json.as_object() {
            Some(entries) if entries.is_empty() => Ok(EmptyMap),
            _ => Err(expected::<Self>(json)),
        }
    }

    fn schema(_generator: &mut SchemaGenerator, _position: Position) -> Schema {
        schema::map(Vec::new())
    }
}

impl<S: FunSignature> JsonRepresentation for FunOf<S> {
    fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
        match S::ARITY {
            Some(arity) => {
                let arity = json!({ "const": arity });
                schema::of(contract::fun(&mut Document(generator), arity))
            }
            None => reference(generator, Predefined::Fun),
        }
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
        schema::of(contract::exactly(&N.to_string()))
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
        NonemptyList::try_from(elements).map_err(|_| expected::<Self>(json))
    }

    fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
        let items = T::schema(generator, Position::Alone);
        schema::of(contract::nonempty_list(&items.to_value()))
    }
}

/// `{"@string": "…"}`
impl JsonRepresentation for NonemptyString {
    fn to_json(&self, _position: Position) -> Value {
        shape::special(Special::String, &**self)
    }

    fn schema(_generator: &mut SchemaGenerator, _position: Position) -> Schema {
        schema::of(contract::characters(1))
    }
}

/// `{"@improper": [element, …, tail]}`
fn improper<T: JsonRepresentation, Tail: JsonRepresentation>(elements: &[T], tail: &Tail) -> Value {
    let elements = elements.iter();
    let parts = deeper(|| {
        let elements = elements.map(|element| element.to_json(Position::Alone));
        elements
            .chain([tail.to_json(Position::Alone)])
            .collect::<Vec<_>>()
    });
    shape::special(Special::Improper, parts)
}

impl<T: JsonRepresentation, Tail: JsonRepresentation> JsonRepresentation
    for MaybeImproperList<T, Tail>
{
    fn to_json(&self, _position: Position) -> Value {
        match self.tail() {
            Some(tail) => improper(self.elements(), tail),
            None => {
                let elements = self.elements().iter();
                deeper(|| {
                    elements
                        .map(|element| element.to_json(Position::Alone))
                        .collect()
                })
            }
        }
    }

    fn from_json(json: &Value, position: Position) -> Result<Self, DecodeError> {
        if json.is_array() {
            return Vec::from_json(json, position).map(Self::proper);
        }
        let list = NonemptyImproperList::from_json(json, position);
        list.map(Self::from)
    }

    fn schema(generator: &mut SchemaGenerator, position: Position) -> Schema {
        schema::union(vec![
            Vec::<T>::schema(generator, position),
            NonemptyImproperList::<T, Tail>::schema(generator, position),
        ])
    }
}

impl<T: JsonRepresentation, Tail: JsonRepresentation> JsonRepresentation
    for NonemptyImproperList<T, Tail>
{
    fn to_json(&self, _position: Position) -> Value {
        improper(self.elements(), self.tail())
    }

    fn from_json(json: &Value, _position: Position) -> Result<Self, DecodeError> {
        let parts = shape::read_special(json, Special::Improper).and_then(Value::as_array);
        // With a list as the tail it would be a proper list.
        let parts = parts.and_then(|parts| parts.split_last());
        let Some((tail, elements)) = parts.filter(|(tail, _)| !shape::is_list(tail)) else {
            return Err(expected::<Self>(json));
        };
        guard_depth(|| {
            let read = |(index, element)| {
                T::from_json(element, Position::Alone)
                    .map_err(|error: DecodeError| error.at_index(index))
            };
            let read: Result<Vec<T>, _> = elements.iter().enumerate().map(read).collect();
            let elements = NonemptyList::try_from(read?).map_err(|_| expected::<Self>(json))?;
            Ok(Self::new(elements, Tail::from_json(tail, Position::Alone)?))
        })
    }

    fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
        let element = T::schema(generator, Position::Alone).to_value();
        let tail = Tail::schema(generator, Position::Alone).to_value();
        schema::of(contract::improper(&element, &tail))
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
