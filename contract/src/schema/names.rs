//! The atoms of a type. They can be the tag of a tuple, and the keys of an object.

use std::collections::BTreeSet;

/// The atoms of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Names {
    /// All atoms, or the set is unknown.
    Any,
    /// Only these, by their texts.
    These(BTreeSet<String>),
}

impl Names {
    /// This atom alone.
    #[must_use]
    pub fn one(name: &str) -> Names {
        Names::These(BTreeSet::from([name.to_owned()]))
    }

    /// `true` and `false`
    #[must_use]
    pub fn boolean() -> Names {
        Names::one("true").and(Names::one("false"))
    }

    /// No atom.
    #[must_use]
    pub fn none() -> Names {
        Names::These(BTreeSet::new())
    }

    /// The atoms of both.
    #[must_use]
    pub fn and(self, other: Names) -> Names {
        match (self, other) {
            (Names::These(left), Names::These(right)) => Names::These(&left | &right),
            (Names::Any, _) | (_, Names::Any) => Names::Any,
        }
    }

    /// Returns whether there is no atom.
    #[must_use]
    pub fn is_none(&self) -> bool {
        matches!(self, Names::These(names) if names.is_empty())
    }
}
