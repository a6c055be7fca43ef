//! What a user chooses for single types and functions: derives, names, Rust types of their own,
//! and what to leave out.
//!
//! [`Settled`] matches the entries with the modules before anything is lowered, [`apply`] names and
//! derives afterwards. Every entry that matches nothing, or that cannot be followed, is a
//! [`Refusal`].

mod able;
mod apply;
mod check;
mod find;

pub(crate) use apply::apply;
pub(crate) use check::legal;
pub(crate) use find::{Settled, without};

use std::collections::BTreeMap;

/// Choices for single types and functions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Control {
    /// Paths of derives for every struct and enum; those of Rust's own only where all parts have
    /// them.
    pub derives: Vec<String>,
    /// Types, in the order of the user's file.
    pub types: Vec<TypeEntry>,
    /// Functions, in the order of the user's file.
    pub functions: Vec<FunctionEntry>,
}

/// What an entry is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Target {
    /// Erlang module.
    pub module: String,
    /// Erlang name of a type or function; `#name` of a record; for a type that Erlang has no name
    /// for, the Rust name that it has without entries.
    pub name: String,
    /// Number of parameters or arguments; may be left out where there is only one of the name.
    pub arity: Option<usize>,
}

/// Choices for a type.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypeEntry {
    /// The type.
    pub target: Target,
    /// Its Rust name.
    pub rename: Option<String>,
    /// The Rust type that stands for it.
    pub rust: Option<String>,
    /// Whether it is left out: where it is used, the dynamic term stands.
    pub skip: bool,
    /// Paths of further derives.
    pub derives: Vec<String>,
    /// Those of [`Control::derives`] that it does not get.
    pub no_derives: Vec<String>,
    /// New names of variants, by those that they have without entries.
    pub variants: BTreeMap<String, String>,
    /// New names of fields, by those that they have without entries.
    pub fields: BTreeMap<String, String>,
}

/// Choices for a function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FunctionEntry {
    /// The function.
    pub target: Target,
    /// Its Rust name; where overloads become several functions, what all their names begin with.
    pub rename: Option<String>,
    /// Whether it is left out.
    pub skip: bool,
}

/// A part of a [`Control`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// [`Control::derives`].
    Derives,
    /// The entry of [`Control::types`] with this index.
    Type(usize),
    /// The entry of [`Control::functions`] with this index.
    Function(usize),
}

/// An entry that was not followed, or not in all.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Refusal {
    /// The entry.
    pub part: Part,
    /// What of it is wrong, e.g. `variants`; `None` for the entry itself.
    pub key: Option<&'static str>,
    /// The key or text inside that, where it has several.
    pub inner: Option<String>,
    /// What is wrong: lower case, no full stop, names in backticks.
    pub message: String,
    /// The name that was not found, if that is what is wrong.
    pub wanted: Option<String>,
    /// Names that there are in its place.
    pub known: Vec<String>,
    /// What to do.
    pub help: Option<String>,
}

impl Refusal {
    fn new(part: Part, message: impl Into<String>) -> Self {
        Refusal {
            part,
            key: None,
            inner: None,
            message: message.into(),
            wanted: None,
            known: Vec::new(),
            help: None,
        }
    }

    fn at(mut self, key: &'static str) -> Self {
        self.key = Some(key);
        self
    }

    fn inside(mut self, name: &str) -> Self {
        self.inner = Some(name.to_owned());
        self
    }

    fn instead_of(mut self, wanted: &str, known: impl IntoIterator<Item = String>) -> Self {
        self.wanted = Some(wanted.to_owned());
        self.known = known.into_iter().collect();
        self
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl Target {
    /// `module:name/arity`, so far as it is said.
    fn shown(&self) -> String {
        let arity = self.arity.map(|arity| format!("/{arity}"));
        format!("{}:{}{}", self.module, self.name, arity.unwrap_or_default())
    }
}
