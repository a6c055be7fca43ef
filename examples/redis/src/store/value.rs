//! The values of keys.

use std::collections::VecDeque;

use hashbrown::{HashMap, HashSet};

use super::{SortedSet, Stream};

/// Bytes from a client.
pub type Bytes = Box<[u8]>;
/// A list.
pub type List = VecDeque<Bytes>;
/// A hash.
pub type Hash = HashMap<Bytes, Bytes>;
/// A set.
pub type Set = HashSet<Bytes>;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A string. Numbers are stored as their digits.
    String(Vec<u8>),
    /// A list.
    List(List),
    /// A hash.
    Hash(Hash),
    /// A set.
    Set(Set),
    /// A sorted set.
    SortedSet(Box<SortedSet>),
    /// A stream.
    Stream(Box<Stream>),
}

impl Value {
    /// Returns the word in the reply of TYPE.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::String(_) => "string",
            Value::List(_) => "list",
            Value::Hash(_) => "hash",
            Value::Set(_) => "set",
            Value::SortedSet(_) => "zset",
            Value::Stream(_) => "stream",
        }
    }

    /// Returns whether the value is an empty container, which Redis does not keep.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            // A stream keeps its last id even if it is empty.
            Value::String(_) | Value::Stream(_) => false,
            Value::List(list) => list.is_empty(),
            Value::Hash(hash) => hash.is_empty(),
            Value::Set(set) => set.is_empty(),
            Value::SortedSet(set) => set.is_empty(),
        }
    }

    /// Returns the approximate size in bytes, estimated from some of the elements.
    #[must_use]
    pub fn memory(&self) -> usize {
        /// Overhead of an element: an allocation, and a share of a table's free space.
        const EACH: usize = 24;
        fn of<'a>(count: usize, some: impl Iterator<Item = &'a Bytes>, fixed: usize) -> usize {
            let (seen, bytes) = some
                .take(5)
                .fold((0, 0), |(seen, bytes), it| (seen + 1, bytes + it.len()));
            count * (fixed + bytes / seen.max(1))
        }
        match self {
            Value::String(text) => text.capacity(),
            Value::List(list) => of(list.len(), list.iter(), EACH),
            Value::Set(set) => of(set.len(), set.iter(), EACH),
            Value::Hash(hash) => {
                of(hash.len(), hash.keys(), EACH) + of(hash.len(), hash.values(), EACH)
            }
            Value::SortedSet(set) => {
                set.len() * 2 * (EACH + 16 + set.iter().next().map_or(0, |it| it.0.len()))
            }
            Value::Stream(stream) => stream.memory(),
        }
    }
}

/// A type of values.
pub trait Kind: Sized {
    /// Whether this is the type of strings.
    const IS_STRING: bool;
    /// Creates an empty value.
    fn empty() -> Value;
    /// Returns the content of a value of this type.
    fn of(value: &Value) -> Option<&Self>;
    /// Returns the content of a value of this type for modification.
    fn of_mut(value: &mut Value) -> Option<&mut Self>;
}

macro_rules! kinds {
    ($($variant:ident: $kind:ty, $is_string:expr;)*) => {$(
        impl Kind for $kind {
            const IS_STRING: bool = $is_string;

            fn empty() -> Value {
                Value::$variant(Default::default())
            }

            fn of(value: &Value) -> Option<&Self> {
                match value {
                    Value::$variant(it) => Some(it),
                    _ => None,
                }
            }

            fn of_mut(value: &mut Value) -> Option<&mut Self> {
                match value {
                    Value::$variant(it) => Some(it),
                    _ => None,
                }
            }
        }
    )*};
}

kinds! {
    String: Vec<u8>, true;
    List: List, false;
    Hash: Hash, false;
    Set: Set, false;
    SortedSet: SortedSet, false;
    Stream: Stream, false;
}
