//! Remembers the union member that each part of a document belongs to.
//!
//! If the members of a union cannot be distinguished by their tags, they are tried one after the
//! other. Without a memory, a part of the document that could belong to two members would be read
//! twice, its own parts four times, and so on: twice as often on each level. So the result for a
//! part is stored while the document is read, and the next time only the right member is read.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::error::expected;
use super::{JsonRepresentation, Position};
use crate::term::{DecodeError, ErlangType};

thread_local! {
    /// The known results, while the outermost union is read.
    static FOUND: RefCell<Option<Found>> = const { RefCell::new(None) };
}

#[derive(Default)]
struct Found {
    /// The member that a part is or, if it is none of them, the member whose reading got furthest.
    members: HashMap<Key, Option<usize>>,
    /// The addresses of the parts, and of their copies in maps that were taken apart, each with the
    /// address of the original part. A temporary value is not among them, because a later temporary
    /// value may have the same address.
    parts: HashMap<usize, usize>,
    /// Maps that were taken apart, with the names of the keys that have their own fields. They live
    /// as long as the results for their parts.
    apart: HashMap<Key, Rc<Apart>>,
}

impl Found {
    /// Adds a value that lives as long as this and is equal to `original`.
    fn add(&mut self, value: &Value, original: &Value) {
        let mut left = vec![(value, original)];
        while let Some((value, original)) = left.pop() {
            match (value, original) {
                (Value::Array(elements), Value::Array(originals)) => {
                    left.extend(elements.iter().zip(originals));
                }
                (Value::Object(entries), Value::Object(originals)) => {
                    left.extend(entries.values().zip(originals.values()));
                }
                _ => continue,
            }
            let original = address(original);
            let original = self.parts.get(&original).copied().unwrap_or(original);
            self.parts.insert(address(value), original);
        }
    }

    /// Returns the key of the part, if `json` is one.
    fn key(&self, json: &Value, other: usize) -> Option<Key> {
        let address = self.parts.get(&address(json))?;
        Some((*address, other))
    }
}

/// A part of the document, by its address, and a union, by its function, or the names of keys.
type Key = (usize, usize);

/// A map that was taken apart, in copies.
#[derive(Debug)]
pub(super) struct Apart {
    /// The entries of the known keys, if the map does not have the form of an object.
    pub(super) known: Map<String, Value>,
    /// The map of the others.
    pub(super) others: Value,
}

/// Returns the copies of a map's parts. They are created once for each part of the document, and a
/// copy counts as the part that it is a copy of.
pub(super) fn apart<'a>(
    (json, keys): (&'a Value, usize),
    copied: impl FnOnce() -> Apart,
    with_copies: impl for<'v> FnOnce(&'v Apart) -> Vec<(&'v Value, &'a Value)>,
) -> Rc<Apart> {
    let before = FOUND.with_borrow(|found| {
        let found = found.as_ref()?;
        found.apart.get(&found.key(json, keys)?).cloned()
    });
    before.unwrap_or_else(|| {
        let apart = Rc::new(copied());
        FOUND.with_borrow_mut(|found| {
            let found = found.as_mut()?;
            let key = found.key(json, keys)?;
            for (copy, original) in with_copies(&apart) {
                found.add(copy, original);
            }
            found.apart.insert(key, apart.clone())
        });
        apart
    })
}

fn address(json: &Value) -> usize {
    std::ptr::from_ref(json).addr()
}

/// The reading of a part of a document as a union: its members are tried one after the other.
pub struct Attempts {
    key: Option<Key>,
    /// The stored result.
    before: Option<Option<usize>>,
    /// The member whose reading got furthest, and the reason why it failed.
    best: Option<(usize, DecodeError)>,
    is_outermost: bool,
}

impl Attempts {
    /// Starts to read a union whose members are distinguished by tags: at most one of them is read.
    #[must_use]
    pub fn by_tags() -> Self {
        Attempts {
            key: None,
            before: None,
            best: None,
            is_outermost: false,
        }
    }

    /// Starts to read `json` as the union `T`.
    #[must_use]
    pub fn of<T: JsonRepresentation>(json: &Value) -> Self {
        let union: fn(&Value, Position) -> Result<T, DecodeError> = T::from_json;
        FOUND.with_borrow_mut(|all| {
            let is_outermost = all.is_none();
            let found = all.get_or_insert_default();
            if is_outermost {
                found.add(json, json);
            }
            let key = found.key(json, union as usize);
            Attempts {
                key,
                before: key.and_then(|key| found.members.get(&key).copied()),
                best: None,
                is_outermost,
            }
        })
    }

    /// Returns whether the member with this number may be the right one.
    #[must_use]
    pub fn may_be(&self, member: usize) -> bool {
        self.before.is_none_or(|before| before == Some(member))
    }

    /// Adds an attempt. Returns its value if it succeeded.
    pub fn add<T>(&mut self, member: usize, attempt: Result<T, DecodeError>) -> Option<T> {
        let error = match attempt {
            Ok(value) => {
                self.remember(Some(member));
                return Some(value);
            }
            Err(error) => error,
        };
        // The error of the attempt that got furthest is the most useful.
        let says = |error: &DecodeError| (error.path().len(), error.is_at_bound());
        if says(&error)
            > self
                .best
                .as_ref()
                .map_or((0, false), |(_, best)| says(best))
        {
            self.best = Some((member, error));
        }
        None
    }

    /// Returns the error of the union.
    #[must_use]
    pub fn error<T: ErlangType>(mut self, json: &Value) -> DecodeError {
        let best = self.best.take();
        self.remember(best.as_ref().map(|(member, _)| *member));
        best.map_or_else(|| expected::<T>(json), |(_, error)| error)
    }

    fn remember(&self, member: Option<usize>) {
        if let Some(key) = self.key {
            FOUND.with_borrow_mut(|found| {
                found
                    .as_mut()
                    .map(|found| found.members.insert(key, member))
            });
        }
    }
}

impl Drop for Attempts {
    fn drop(&mut self) {
        if self.is_outermost {
            let found = FOUND.with_borrow_mut(Option::take);
            drop(found);
        }
    }
}
