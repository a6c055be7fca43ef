//! The entries of a map whose known keys have fields of their own.

use std::rc::Rc;
use std::sync::LazyLock;

use otp_contract::representation::Special;
use serde_json::{Map, Value};

use super::attempts::Apart;
use super::{attempts, shape};

/// The entries of a map, and the map of its other keys.
#[derive(Debug)]
pub struct Entries<'a> {
    object: Option<&'a Map<String, Value>>,
    apart: Option<Rc<Apart>>,
}

/// Replaces the map of the other keys if it is not needed.
static NOTHING: Value = Value::Null;

/// Replaces the known entries if there are none.
static EMPTY: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);

impl Entries<'_> {
    /// Returns the entries of the known keys, possibly among others, and the map of the other
    /// entries if it was requested.
    #[must_use]
    pub fn parts(&self) -> (&Map<String, Value>, &Value) {
        let apart = self.apart.as_deref();
        let known = self.object.or_else(|| Some(&apart?.known));
        let others = apart.map_or(&NOTHING, |apart| &apart.others);
        (known.unwrap_or(&EMPTY), others)
    }
}

/// Returns the entries of a map with the `known` keys, and the map of the others if `with_others`.
#[must_use]
pub fn object<'a>(json: &'a Value, known: &[&str], with_others: bool) -> Option<Entries<'a>> {
    let object = shape::read_object(json);
    let parts = match object {
        Some(object) if !with_others => {
            let (object, apart) = (Some(object), None);
            return Some(Entries { object, apart });
        }
        Some(object) => Parts::of_object(object, known),
        None if with_others => Parts::of_pairs(shape::read_pairs(json)?, known)?,
        None => return None,
    };
    let apart = attempts::apart(
        (json, known.as_ptr().addr()),
        || parts.copied(),
        |apart| parts.with_copies(apart),
    );
    let apart = Some(apart);
    Some(Entries { object, apart })
}

/// The parts of a map, at their positions in the document.
struct Parts<'a> {
    known: Vec<(String, &'a Value)>,
    others: Others<'a>,
}

enum Others<'a> {
    Object(Vec<(&'a String, &'a Value)>),
    Pairs(Vec<(&'a Value, &'a Value)>),
}

impl<'a> Parts<'a> {
    /// Leaves the known entries in the object itself, where they are read.
    fn of_object(object: &'a Map<String, Value>, known: &[&str]) -> Self {
        let others = object.iter().filter(|(key, _)| !is_known(key, known));
        Parts {
            known: Vec::new(),
            others: Others::Object(others.collect()),
        }
    }

    /// Returns `None` if a known key occurs twice.
    fn of_pairs(pairs: Vec<(&'a Value, &'a Value)>, known: &[&str]) -> Option<Self> {
        let (mut entries, mut others) = (Vec::<(String, _)>::new(), Vec::new());
        for (key, value) in pairs {
            match shape::read_atom(key).map(shape::escaped) {
                Some(key) if is_known(&key, known) => {
                    if entries.iter().any(|(other, _)| *other == *key) {
                        return None;
                    }
                    entries.push((key.into_owned(), value));
                }
                _ => others.push((key, value)),
            }
        }
        Some(Parts {
            known: entries,
            others: Others::Pairs(others),
        })
    }

    fn copied(&self) -> Apart {
        let known = self.known.iter();
        let known = known.map(|(key, value)| (key.clone(), (*value).clone()));
        let others = match &self.others {
            Others::Object(entries) => {
                let entries = entries.iter();
                let entries = entries.map(|(key, value)| ((*key).clone(), (*value).clone()));
                Value::Object(entries.collect())
            }
            Others::Pairs(pairs) => {
                let pairs = pairs.iter();
                let pairs =
                    pairs.map(|(key, value)| Value::Array(vec![(*key).clone(), (*value).clone()]));
                shape::special(Special::Map, pairs.collect::<Vec<_>>())
            }
        };
        Apart {
            known: known.collect(),
            others,
        }
    }

    /// Returns the copies, each with its original.
    fn with_copies<'v>(&self, apart: &'v Apart) -> Vec<(&'v Value, &'a Value)> {
        let known = self.known.iter();
        let known = known.filter_map(|(key, value)| Some((apart.known.get(key)?, *value)));
        let mut copies: Vec<(&Value, &Value)> = known.collect();
        match &self.others {
            Others::Object(entries) => {
                let object = apart.others.as_object();
                let entries = entries.iter();
                copies
                    .extend(entries.filter_map(|(key, value)| Some((object?.get(*key)?, *value))));
            }
            Others::Pairs(pairs) => {
                let copied = shape::read_pairs(&apart.others).unwrap_or_default();
                let both = copied.into_iter().zip(pairs);
                copies.extend(
                    both.flat_map(|(copy, original)| [(copy.0, original.0), (copy.1, original.1)]),
                );
            }
        }
        copies
    }
}

fn is_known(key: &str, known: &[&str]) -> bool {
    known.iter().any(|known| *shape::escaped(known) == *key)
}
