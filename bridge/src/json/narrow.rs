//! Types that narrow others: their JSON is that of their term, their schema says how far it goes

use otp_contract::schema::{self as contract, Predefined};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::definitions::{Document, reference};
use super::integers::bounded;
use super::{JsonForm, Keys, Place, schema, standard_traits};
use crate::term::DecodeError;
use crate::term::types::{
    Bits, EmptyMap, FunOf, FunSignature, Identifier, Integer, Iolist, Literal, MaybeImproperList,
    Never, Nil, NonemptyImproperList, NonemptyList, NonemptyString, Number, Pid, Port, Ranged,
    Reference, Tuple,
};

/// The schema of any term.
fn term(generator: &mut SchemaGenerator) -> Value {
    reference(generator, Predefined::Term).to_value()
}

impl JsonForm for Tuple {
    fn schema(generator: &mut SchemaGenerator, _place: Place) -> Schema {
        schema::of(contract::any_tuple(&term(generator)))
    }
}

impl<const SIZE: u64, const UNIT: u64> JsonForm for Bits<SIZE, UNIT> {
    fn schema(generator: &mut SchemaGenerator, _place: Place) -> Schema {
        if SIZE.is_multiple_of(8) && UNIT.is_multiple_of(8) {
            reference(generator, Predefined::Binary)
        } else {
            reference(generator, Predefined::Bitstring)
        }
    }
}

impl JsonForm for Nil {
    fn schema(_generator: &mut SchemaGenerator, _place: Place) -> Schema {
        schema::of(contract::array(Vec::new()))
    }
}

impl JsonForm for EmptyMap {
    fn schema(_generator: &mut SchemaGenerator, _place: Place) -> Schema {
        schema::map(Vec::new())
    }
}

impl<S: FunSignature> JsonForm for FunOf<S> {
    fn schema(generator: &mut SchemaGenerator, _place: Place) -> Schema {
        reference(generator, Predefined::Fun)
    }
}

impl JsonForm for Identifier {
    fn schema(generator: &mut SchemaGenerator, place: Place) -> Schema {
        schema::union(vec![
            Pid::schema(generator, place),
            Port::schema(generator, place),
            Reference::schema(generator, place),
        ])
    }
}

impl JsonForm for Iolist {
    fn schema(generator: &mut SchemaGenerator, _place: Place) -> Schema {
        let lists = contract::lists_of_iodata(&mut Document(generator));
        schema::of(contract::union(lists))
    }
}

impl<const N: i128> JsonForm for Literal<N> {
    fn schema(_generator: &mut SchemaGenerator, _place: Place) -> Schema {
        json_schema!({ "const": super::integers::integer(&Integer::from(N)) })
    }
}

impl JsonForm for Never {
    fn schema(_generator: &mut SchemaGenerator, _place: Place) -> Schema {
        schema::of(Value::Bool(false))
    }
}

impl<T: JsonForm> JsonForm for NonemptyList<T> {
    fn to_json(&self, _place: Place) -> Value {
        let element = |element: &T| element.to_json(Place::Alone);
        Value::Array(self.iter().map(element).collect())
    }

    fn from_json(json: &Value, place: Place) -> Result<Self, DecodeError> {
        let elements = Vec::from_json(json, place)?;
        NonemptyList::try_from(elements).map_err(|_| super::refusal::expected::<Self>(json))
    }

    fn schema(generator: &mut SchemaGenerator, _place: Place) -> Schema {
        let items = T::schema(generator, Place::Alone);
        schema::of(contract::nonempty_list(&items.to_value()))
    }
}

/// `{"@string": "…"}`
impl JsonForm for NonemptyString {
    fn to_json(&self, _place: Place) -> Value {
        super::shape::special("string", &**self)
    }

    fn schema(_generator: &mut SchemaGenerator, _place: Place) -> Schema {
        schema::of(contract::characters(1))
    }
}

/// The elements as in the dynamic term, in which the tail is told from them.
impl<T: JsonForm, Tail: JsonForm> JsonForm for MaybeImproperList<T, Tail> {
    fn schema(generator: &mut SchemaGenerator, _place: Place) -> Schema {
        let term = term(generator);
        schema::of(contract::union(vec![
            contract::list(&term),
            contract::improper(&term),
        ]))
    }
}

impl<T: JsonForm, Tail: JsonForm> JsonForm for NonemptyImproperList<T, Tail> {
    fn schema(generator: &mut SchemaGenerator, _place: Place) -> Schema {
        schema::of(contract::improper(&term(generator)))
    }
}

/// `1` is the integer, `1.0` the float.
impl JsonForm for Number {
    fn schema(generator: &mut SchemaGenerator, place: Place) -> Schema {
        schema::union(vec![
            Integer::schema(generator, place),
            f64::schema(generator, place),
        ])
    }
}

impl<I, const LOW: i128, const HIGH: i128> JsonForm for Ranged<I, LOW, HIGH>
where
    I: JsonForm + Copy + Into<i128>,
{
    fn to_json(&self, place: Place) -> Value {
        self.get().to_json(place)
    }

    fn from_json(json: &Value, place: Place) -> Result<Self, DecodeError> {
        let value = I::from_json(json, place).ok().and_then(Self::new);
        value.ok_or_else(|| super::refusal::expected::<Self>(json))
    }

    fn schema(generator: &mut SchemaGenerator, _place: Place) -> Schema {
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
