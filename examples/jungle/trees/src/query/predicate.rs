//! Predicates over the attributes of a node.

use otp_bridge::Term;
use otp_bridge::term::Binary;

use crate::error::{Error, Result};
use crate::index::Indexes;
use crate::node::{Key, Node, Value};

/// Maximum depth of nested predicates.
const MAX_NESTING: usize = 32;

/// A condition for a node's attributes. Values are compared as bytes.
#[derive(Debug, Clone, PartialEq, Term)]
pub enum Predicate {
    /// `true`
    True,
    /// `{has, Key}`
    Has(String),
    /// `{equal, Key, Value}`
    Equal(String, Binary),
    /// `{between, Key, From, To}`: both ends are included.
    Between(String, Binary, Binary),
    /// `{prefix, Key, Beginning}`
    Prefix(String, Binary),
    /// `{'not', Predicate}`
    Not(Box<Predicate>),
    /// `{'and', Predicates}`
    And(Vec<Predicate>),
    /// `{'or', Predicates}`
    Or(Vec<Predicate>),
}

/// A predicate whose keys and values are in the form that nodes use.
pub(crate) enum Compiled {
    True,
    Has(Key),
    Equal(Key, Value),
    Between(Key, Value, Value),
    Prefix(Key, Value),
    Not(Box<Compiled>),
    And(Vec<Compiled>),
    Or(Vec<Compiled>),
}

impl Compiled {
    pub(crate) fn new(predicate: &Predicate) -> Result<Self> {
        Compiled::within(predicate, MAX_NESTING)
    }

    fn within(predicate: &Predicate, depth: usize) -> Result<Self> {
        let Some(depth) = depth.checked_sub(1) else {
            let why = format!("predicates are within each other more than {MAX_NESTING} deep");
            return Err(Error::BadPattern(why));
        };
        let all = |all: &[Predicate]| {
            let all = all.iter().map(|it| Compiled::within(it, depth));
            all.collect::<Result<Vec<_>>>()
        };
        let key = |key: &String| Key::from(key.as_str());
        let value = |value: &Binary| Value::from(&**value);
        Ok(match predicate {
            Predicate::True => Compiled::True,
            Predicate::Has(name) => Compiled::Has(key(name)),
            Predicate::Equal(name, it) => Compiled::Equal(key(name), value(it)),
            Predicate::Between(name, from, to) => {
                Compiled::Between(key(name), value(from), value(to))
            }
            Predicate::Prefix(name, it) => Compiled::Prefix(key(name), value(it)),
            Predicate::Not(it) => Compiled::Not(Box::new(Compiled::within(it, depth)?)),
            Predicate::And(them) => Compiled::And(all(them)?),
            Predicate::Or(them) => Compiled::Or(all(them)?),
        })
    }

    /// Returns whether a node satisfies the predicate.
    pub(crate) fn holds(&self, node: &Node) -> bool {
        match self {
            Compiled::True => true,
            Compiled::Has(key) => node.attribute(key).is_some(),
            Compiled::Equal(key, value) => node.attribute(key) == Some(value),
            Compiled::Between(key, from, to) => node
                .attribute(key)
                .is_some_and(|value| from <= value && value <= to),
            Compiled::Prefix(key, begin) => node
                .attribute(key)
                .is_some_and(|value| value.starts_with(begin)),
            Compiled::Not(it) => !it.holds(node),
            Compiled::And(all) => all.iter().all(|it| it.holds(node)),
            Compiled::Or(any) => any.iter().any(|it| it.holds(node)),
        }
    }

    /// Returns an indexed attribute and the value that the predicate requires of it, if there is
    /// one.
    pub(crate) fn demanded(&self, indexes: &Indexes) -> Option<(Key, Value)> {
        match self {
            Compiled::Equal(key, value) if indexes.has(key) => Some((key.clone(), value.clone())),
            Compiled::And(all) => all.iter().find_map(|it| it.demanded(indexes)),
            _ => None,
        }
    }
}
