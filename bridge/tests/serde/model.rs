//! Round trips of every kind of value in serde's data model, in each mapping, as terms and as
//! bytes.

use std::collections::BTreeMap;
use std::fmt::Debug;

use otp_bridge::serde::{
    Elixir, Erlang, Mapping, Null, Records, from_bytes, from_term_as, to_bytes, to_term_as,
};
use otp_bridge::term::etf;
use proptest::prelude::*;
use serde::de::{DeserializeOwned, Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// All kinds of values that serde supports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Value {
    Unit,
    Bool(bool),
    I8(i8),
    I64(i64),
    I128(i128),
    U8(u8),
    U64(u64),
    U128(u128),
    F32(f32),
    F64(f64),
    Char(char),
    Text(String),
    Bytes(Bytes),
    Nothing(()),
    Option(Option<Box<Value>>),
    UnitStruct(Marker),
    Newtype(Wrapped),
    List(Vec<Value>),
    Pair(Box<(Value, Value)>),
    TupleStruct(Both),
    Map(BTreeMap<Key, Value>),
    Struct(Box<Struct>),
    Several(i8, Box<Value>, String),
    Named {
        left: Box<Value>,
        right: Option<u16>,
    },
    Empty(),
    EmptyNamed {},
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Marker;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Wrapped(u16);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Both(i32, String);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Struct {
    first: Value,
    #[serde(rename = "and a second")]
    second: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Key {
    Text(String),
    Number(i64),
    Pair(u8, bool),
}

/// Bytes, and not a list of integers.
#[derive(Debug, Clone, PartialEq)]
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfBytes;

        impl Visitor<'_> for OfBytes {
            type Value = Bytes;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("bytes")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }
        }

        deserializer.deserialize_byte_buf(OfBytes)
    }
}

fn scalars() -> impl Strategy<Value = Value> {
    let finite = any::<f64>().prop_filter("finite", |value| value.is_finite());
    let small = any::<f32>().prop_filter("finite", |value| value.is_finite());
    prop_oneof![
        Just(Value::Unit),
        Just(Value::Nothing(())),
        Just(Value::UnitStruct(Marker)),
        Just(Value::Empty()),
        Just(Value::EmptyNamed {}),
        any::<bool>().prop_map(Value::Bool),
        any::<i8>().prop_map(Value::I8),
        any::<i64>().prop_map(Value::I64),
        any::<i128>().prop_map(Value::I128),
        any::<u8>().prop_map(Value::U8),
        any::<u64>().prop_map(Value::U64),
        any::<u128>().prop_map(Value::U128),
        small.prop_map(Value::F32),
        finite.prop_map(Value::F64),
        any::<char>().prop_map(Value::Char),
        any::<String>().prop_map(Value::Text),
        any::<Vec<u8>>().prop_map(|bytes| Value::Bytes(Bytes(bytes))),
        any::<u16>().prop_map(|number| Value::Newtype(Wrapped(number))),
        (any::<i32>(), any::<String>())
            .prop_map(|(number, text)| Value::TupleStruct(Both(number, text))),
    ]
}

fn keys() -> impl Strategy<Value = Key> {
    prop_oneof![
        any::<String>().prop_map(Key::Text),
        any::<i64>().prop_map(Key::Number),
        any::<(u8, bool)>().prop_map(|(number, flag)| Key::Pair(number, flag)),
    ]
}

fn values() -> impl Strategy<Value = Value> {
    scalars().prop_recursive(5, 40, 5, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            proptest::option::of(boxed.clone()).prop_map(Value::Option),
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::List),
            (inner.clone(), inner.clone()).prop_map(|pair| Value::Pair(Box::new(pair))),
            proptest::collection::btree_map(keys(), inner.clone(), 0..5).prop_map(Value::Map),
            (inner, any::<Option<bool>>())
                .prop_map(|(first, second)| Value::Struct(Box::new(Struct { first, second }))),
            (any::<i8>(), boxed.clone(), any::<String>())
                .prop_map(|(number, value, text)| Value::Several(number, value, text)),
            (boxed, any::<Option<u16>>()).prop_map(|(left, right)| Value::Named { left, right }),
        ]
    })
}

fn comes_back<M: Mapping, T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let term = to_term_as::<M, T>(value).expect("it has a term");
    let read = from_term_as::<M, T>(&term);
    assert_eq!(read.as_ref(), Ok(value), "{term}");
    let bytes = etf::decode(&etf::encode(&term)).expect("its own bytes");
    assert_eq!(from_term_as::<M, T>(&bytes).as_ref(), Ok(value), "{term}");
}

proptest! {
    #[test]
    fn every_value_comes_back(value in values()) {
        comes_back::<Erlang, _>(&value);
        comes_back::<Elixir, _>(&value);
        comes_back::<Null, _>(&value);
        comes_back::<Records, _>(&value);
        let bytes = to_bytes(&value).expect("it has bytes");
        assert_eq!(from_bytes::<Value>(&bytes), Ok(value));
    }

    /// Terms that are not of the type are refused without a panic.
    #[test]
    fn bytes_of_another_value_are_read_or_refused(value in values()) {
        let bytes = to_bytes(&value).expect("it has bytes");
        let _ = from_bytes::<Struct>(&bytes);
        let _ = from_bytes::<BTreeMap<Key, Value>>(&bytes);
        let _ = from_bytes::<Vec<Option<Value>>>(&bytes);
        let _ = from_bytes::<(Value, Both)>(&bytes);
    }
}
