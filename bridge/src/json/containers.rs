//! Lists, tuples, `Option` and pointers.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use otp_contract::schema as contract;
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::error::expected;
use super::{JsonRepresentation, Keys, Position, schema, shape};
use crate::OrNil;
use crate::term::{DecodeError, ErlangType, FromTerm, Shape, ToTerm, deeper, guard_depth};

/// Elixir's atom for a missing value.
const NIL: &str = "nil";

macro_rules! lists {
    ($($list:ident)*) => {$(
        impl<T: JsonRepresentation> JsonRepresentation for $list<T> {
            fn to_json(&self, _position: Position) -> Value {
                let element = |element: &T| element.to_json(Position::Alone);
                deeper(|| Value::Array(self.iter().map(element).collect()))
            }

            fn from_json(json: &Value, _position: Position) -> Result<Self, DecodeError> {
                let Value::Array(elements) = json else {
                    return Err(expected::<Self>(json));
                };
                let read = |(index, element)| {
                    T::from_json(element, Position::Alone)
                        .map_err(|error: DecodeError| error.at_index(index))
                };
                guard_depth(|| elements.iter().enumerate().map(read).collect())
            }

            fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
                let items = T::schema(generator, Position::Alone);
                schema::of(contract::list(&items.to_value()))
            }
        }
    )*};
}

lists! { Vec VecDeque }

/// `null` or the content: `undefined` is `null`.
impl<T: JsonRepresentation> JsonRepresentation for Option<T> {
    fn to_json(&self, position: Position) -> Value {
        match self {
            Some(content) => content.to_json(position),
            None => Value::Null,
        }
    }

    fn from_json(json: &Value, position: Position) -> Result<Self, DecodeError> {
        match json {
            Value::Null => Ok(None),
            json => T::from_json(json, position).map(Some),
        }
    }

    fn schema(generator: &mut SchemaGenerator, position: Position) -> Schema {
        let content = T::schema(generator, position);
        schema::union(vec![schema::atom("undefined"), content])
    }

    fn keys() -> Keys {
        match T::keys() {
            Keys::Atoms => Keys::Atoms,
            Keys::Texts | Keys::Mixed => Keys::Mixed,
        }
    }
}

/// `"nil"` or the content, which is written so that it differs from `"nil"`.
impl<T: JsonRepresentation> JsonRepresentation for OrNil<T> {
    fn to_json(&self, _position: Position) -> Value {
        match &self.0 {
            Some(content) => content.to_json(Position::Member),
            None => Value::from(NIL),
        }
    }

    fn from_json(json: &Value, _position: Position) -> Result<Self, DecodeError> {
        match json.as_str() {
            Some(NIL) => Ok(OrNil(None)),
            _ => T::from_json(json, Position::Member).map(OrNil::from),
        }
    }

    fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
        let content = T::schema(generator, Position::Member);
        schema::union(vec![schema::atom(NIL), content])
    }

    fn keys() -> Keys {
        Option::<T>::keys()
    }
}

impl JsonRepresentation for () {
    fn to_json(&self, _position: Position) -> Value {
        shape::tuple(Vec::new())
    }

    fn from_json(json: &Value, _position: Position) -> Result<Self, DecodeError> {
        match shape::read_tuple(json) {
            Some(elements) if elements.is_empty() => Ok(()),
            _ => Err(expected::<Self>(json)),
        }
    }

    fn schema(_generator: &mut SchemaGenerator, _position: Position) -> Schema {
        schema::tuple(&Shape::NONE, Vec::new())
    }
}

macro_rules! tuples {
    ($(($($element:ident $index:tt),+) of $size:literal;)*) => {$(
        impl<$($element: JsonRepresentation),+> JsonRepresentation for ($($element,)+) {
            fn to_json(&self, _position: Position) -> Value {
                shape::tuple_of(&A::KIND, vec![$(self.$index.to_json(Position::Alone)),+])
            }

            fn from_json(json: &Value, _position: Position) -> Result<Self, DecodeError> {
                let elements = shape::read_tuple_of(&A::KIND, json);
                let elements = elements.filter(|found| found.len() == $size);
                let elements = elements.ok_or_else(|| expected::<Self>(json))?;
                Ok(($(
                    $element::from_json(&elements[$index], Position::Alone)
                        .map_err(|error: DecodeError| error.at_element($index))?,
                )+))
            }

            fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
                let elements = vec![$($element::schema(generator, Position::Alone)),+];
                schema::tuple(&A::KIND, elements)
            }
        }
    )*};
}

tuples! {
    (A 0) of 1;
    (A 0, B 1) of 2;
    (A 0, B 1, C 2) of 3;
    (A 0, B 1, C 2, D 3) of 4;
    (A 0, B 1, C 2, D 3, E 4) of 5;
    (A 0, B 1, C 2, D 3, E 4, F 5) of 6;
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6) of 7;
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, I 7) of 8;
}

macro_rules! pointers {
    ($($pointer:ident)*) => {$(
        impl<T: JsonRepresentation> JsonRepresentation for $pointer<T> {
            fn to_json(&self, position: Position) -> Value {
                deeper(|| (**self).to_json(position))
            }

            fn from_json(json: &Value, position: Position) -> Result<Self, DecodeError> {
                guard_depth(|| T::from_json(json, position).map($pointer::new))
            }

            fn schema(generator: &mut SchemaGenerator, position: Position) -> Schema {
                T::schema(generator, position)
            }

            fn keys() -> Keys {
                T::keys()
            }
        }
    )*};
}

pointers! { Box Arc Rc }

impl<'a, T> JsonRepresentation for Cow<'a, T>
where
    Cow<'a, T>: FromTerm,
    T: ErlangType + ToTerm + ToOwned + ?Sized,
    T::Owned: JsonRepresentation,
{
    fn to_json(&self, position: Position) -> Value {
        let owned: T::Owned = (**self).to_owned();
        owned.to_json(position)
    }

    fn from_json(json: &Value, position: Position) -> Result<Self, DecodeError> {
        T::Owned::from_json(json, position).map(Cow::Owned)
    }

    fn schema(generator: &mut SchemaGenerator, position: Position) -> Schema {
        T::Owned::schema(generator, position)
    }

    fn keys() -> Keys {
        T::Owned::keys()
    }
}
