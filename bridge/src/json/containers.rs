//! Lists, tuples, `Option` and pointers

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use otp_contract::schema as contract;
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::refusal::expected;
use super::{JsonForm, Keys, Place, schema, shape};
use crate::term::{DecodeError, ErlangType, ToTerm, guard_depth};

impl<T: JsonForm> JsonForm for Vec<T> {
    fn to_json(&self, _place: Place) -> Value {
        let element = |element: &T| element.to_json(Place::Alone);
        Value::Array(self.iter().map(element).collect())
    }

    fn from_json(json: &Value, _place: Place) -> Result<Self, DecodeError> {
        let Value::Array(elements) = json else {
            return Err(expected::<Self>(json));
        };
        let read = |(index, element)| {
            T::from_json(element, Place::Alone).map_err(|error: DecodeError| error.at_index(index))
        };
        guard_depth(|| elements.iter().enumerate().map(read).collect())
    }

    fn schema(generator: &mut SchemaGenerator, _place: Place) -> Schema {
        let items = T::schema(generator, Place::Alone);
        schema::of(contract::list(&items.to_value()))
    }
}

/// `null` or the content: `undefined` is `null`.
impl<T: JsonForm> JsonForm for Option<T> {
    fn to_json(&self, place: Place) -> Value {
        match self {
            Some(content) => content.to_json(place),
            None => Value::Null,
        }
    }

    fn from_json(json: &Value, place: Place) -> Result<Self, DecodeError> {
        match json {
            Value::Null => Ok(None),
            json => T::from_json(json, place).map(Some),
        }
    }

    fn schema(generator: &mut SchemaGenerator, place: Place) -> Schema {
        let content = T::schema(generator, place);
        schema::union(vec![schema::atom("undefined"), content])
    }

    fn keys() -> Keys {
        match T::keys() {
            Keys::Atoms => Keys::Atoms,
            Keys::Texts | Keys::Mixed => Keys::Mixed,
        }
    }
}

impl JsonForm for () {
    fn to_json(&self, _place: Place) -> Value {
        shape::tuple(Vec::new())
    }

    fn from_json(json: &Value, _place: Place) -> Result<Self, DecodeError> {
        match shape::read_tuple(json) {
            Some(elements) if elements.is_empty() => Ok(()),
            _ => Err(expected::<Self>(json)),
        }
    }

    fn schema(_generator: &mut SchemaGenerator, _place: Place) -> Schema {
        schema::tuple(Vec::new())
    }
}

macro_rules! tuples {
    ($(($($element:ident $index:tt),+) of $size:literal;)*) => {$(
        impl<$($element: JsonForm),+> JsonForm for ($($element,)+) {
            fn to_json(&self, _place: Place) -> Value {
                let mut elements = vec![$(self.$index.to_json(Place::Alone)),+];
                match A::only_atom() {
                    Some(tag) => shape::tagged(tag, elements.split_off(1)),
                    None => shape::tuple(elements),
                }
            }

            fn from_json(json: &Value, _place: Place) -> Result<Self, DecodeError> {
                let elements = shape::read_tuple(json).filter(|found| found.len() == $size);
                let elements = elements.ok_or_else(|| expected::<Self>(json))?;
                Ok(($(
                    $element::from_json(&elements[$index], Place::Alone)
                        .map_err(|error: DecodeError| error.at_element($index))?,
                )+))
            }

            fn schema(generator: &mut SchemaGenerator, _place: Place) -> Schema {
                let mut elements = vec![$($element::schema(generator, Place::Alone)),+];
                match A::only_atom() {
                    Some(tag) => schema::tagged(tag, elements.split_off(1)),
                    None => schema::tuple(elements),
                }
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
        impl<T: JsonForm> JsonForm for $pointer<T> {
            fn to_json(&self, place: Place) -> Value {
                (**self).to_json(place)
            }

            fn from_json(json: &Value, place: Place) -> Result<Self, DecodeError> {
                guard_depth(|| T::from_json(json, place).map($pointer::new))
            }

            fn schema(generator: &mut SchemaGenerator, place: Place) -> Schema {
                T::schema(generator, place)
            }

            fn keys() -> Keys {
                T::keys()
            }

            fn only_atom() -> Option<&'static str> {
                T::only_atom()
            }
        }
    )*};
}

pointers! { Box Arc Rc }

impl<T> JsonForm for Cow<'_, T>
where
    T: ErlangType + ToTerm + ToOwned + ?Sized,
    T::Owned: JsonForm,
{
    fn to_json(&self, place: Place) -> Value {
        let owned: T::Owned = (**self).to_owned();
        owned.to_json(place)
    }

    fn from_json(json: &Value, place: Place) -> Result<Self, DecodeError> {
        T::Owned::from_json(json, place).map(Cow::Owned)
    }

    fn schema(generator: &mut SchemaGenerator, place: Place) -> Schema {
        T::Owned::schema(generator, place)
    }

    fn keys() -> Keys {
        T::Owned::keys()
    }
}
