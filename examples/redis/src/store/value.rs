//! What a key can have.

use std::collections::VecDeque;

use hashbrown::{HashMap, HashSet};

use super::SortedSet;

/// Bytes of a client.
pub type Bytes = Box<[u8]>;

/// A value.
#[derive(Debug, Clone)]
pub enum Value {
    /// Bytes; numbers are their digits.
    String(Vec<u8>),
    /// A list.
    List(VecDeque<Bytes>),
    /// A hash.
    Hash(HashMap<Bytes, Bytes>),
    /// A set.
    Set(HashSet<Bytes>),
    /// A sorted set.
    SortedSet(Box<SortedSet>),
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
        }
    }

    /// Whether it is a container without elements, which Redis does not keep.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Value::String(_) => false,
            Value::List(list) => list.is_empty(),
            Value::Hash(hash) => hash.is_empty(),
            Value::Set(set) => set.is_empty(),
            Value::SortedSet(set) => set.is_empty(),
        }
    }
}

/// A type that values have.
pub trait Kind: Sized {
    /// An empty one.
    fn empty() -> Value;
    /// What a value of this type has.
    fn of(value: &Value) -> Option<&Self>;
    /// The same.
    fn of_mut(value: &mut Value) -> Option<&mut Self>;
}

macro_rules! kinds {
    ($($variant:ident: $kind:ty;)*) => {$(
        impl Kind for $kind {
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
    String: Vec<u8>;
    List: VecDeque<Bytes>;
    Hash: HashMap<Bytes, Bytes>;
    Set: HashSet<Bytes>;
    SortedSet: SortedSet;
}
