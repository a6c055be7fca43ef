//! Types that narrow others: their JSON is that of their term, their schema says how far it goes

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::definitions::{self, AnyBinary, AnyBitstring, AnyFun, AnyTerm, reference};
use super::integers::bounded;
use super::{JsonForm, Keys, Place, schema, standard_traits};
use crate::term::DecodeError;
use crate::term::types::{
    Bits, EmptyMap, FunOf, FunSignature, Identifier, Integer, Iolist, Literal, MaybeImproperList,
    Never, Nil, NonemptyImproperList, NonemptyList, NonemptyString, Number, Pid, Port, Ranged,
    Reference, Tuple,
};

impl JsonForm for Tuple {
    fn schema(generator: &mut SchemaGenerator, _place: Place) -> Schema {
        definitions::any_tuple(generator)
    }
}

impl<const SIZE: u64, const UNIT: u64> JsonForm for Bits<SIZE, UNIT> {
    fn schema(generator: &mut SchemaGenerator, _place: Place) -> Schema {
        if SIZE.is_multiple_of(8) && UNIT.is_multiple_of(8) {
            reference::<AnyBinary>(generator)
        } else {
            reference::<AnyBitstring>(generator)
        }
    }
}

impl JsonForm for Nil {
    fn schema(_generator: &mut SchemaGenerator, _place: Place) -> Schema {
        json_schema!({ "type": "array", "maxItems": 0 })
    }
}

impl JsonForm for EmptyMap {
    fn schema(_generator: &mut SchemaGenerator, _place: Place) -> Schema {
        schema::map(Vec::new())
    }
}

impl<S: FunSignature> JsonForm for FunOf<S> {
    fn schema(generator: &mut SchemaGenerator, _place: Place) -> Schema {
        reference::<AnyFun>(generator)
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
        let part = definitions::part_of_iodata(generator);
        schema::union(definitions::lists_of_iodata(part))
    }
}

impl<const N: i128> JsonForm for Literal<N> {
    fn schema(_generator: &mut SchemaGenerator, _place: Place) -> Schema {
        json_schema!({ "const": super::integers::integer(&Integer::from(N)) })
    }
}

impl JsonForm for Never {
    fn schema(_generator: &mut SchemaGenerator, _place: Place) -> Schema {
        json_schema!(false)
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
        json_schema!({ "type": "array", "items": items, "minItems": 1 })
    }
}

/// `{"@string": "…"}`
impl JsonForm for NonemptyString {
    fn to_json(&self, _place: Place) -> Value {
        super::shape::special("string", &**self)
    }

    fn schema(_generator: &mut SchemaGenerator, _place: Place) -> Schema {
        schema::special("string", json_schema!({ "type": "string", "minLength": 1 }))
    }
}

/// The elements as in the dynamic term, in which the tail is told from them.
impl<T: JsonForm, Tail: JsonForm> JsonForm for MaybeImproperList<T, Tail> {
    fn schema(generator: &mut SchemaGenerator, _place: Place) -> Schema {
        let term = reference::<AnyTerm>(generator);
        schema::union(vec![
            json_schema!({ "type": "array", "items": term }),
            definitions::improper(term),
        ])
    }
}

impl<T: JsonForm, Tail: JsonForm> JsonForm for NonemptyImproperList<T, Tail> {
    fn schema(generator: &mut SchemaGenerator, _place: Place) -> Schema {
        definitions::improper(reference::<AnyTerm>(generator))
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
