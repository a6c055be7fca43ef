//! What a key can have.

use std::collections::VecDeque;

use hashbrown::{HashMap, HashSet};

use super::{SortedSet, Stream};

/// Bytes of a client.
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
    /// Bytes; numbers are their digits.
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
    /// The word that TYPE answers.
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

    /// Whether it is a container without elements, which Redis does not keep.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            // A stream keeps its last id.
            Value::String(_) | Value::Stream(_) => false,
            Value::List(list) => list.is_empty(),
            Value::Hash(hash) => hash.is_empty(),
            Value::Set(set) => set.is_empty(),
            Value::SortedSet(set) => set.is_empty(),
        }
    }

    /// The bytes it takes, about: some of its elements stand for the others.
    #[must_use]
    pub fn memory(&self) -> usize {
        /// An allocation, and what a table has free.
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

/// A type that values have.
pub trait Kind: Sized {
    /// Whether it is the one of strings.
    const IS_STRING: bool;
    /// An empty one.
    fn empty() -> Value;
    /// What a value of this type has.
    fn of(value: &Value) -> Option<&Self>;
    /// The same.
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
