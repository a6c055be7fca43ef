//! What a user decides for single types and functions.

use std::collections::BTreeMap;

/// What a user decides for single types and functions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Paths of derives for every struct and enum; those of Rust's own only where all parts have
    /// them.
    pub derives: Vec<String>,
    /// Types, in the order of the user's file.
    pub types: Vec<TypeOverride>,
    /// Functions, in the order of the user's file.
    pub functions: Vec<FunctionOverride>,
}

/// What an override is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Target {
    /// Erlang module.
    pub module: String,
    /// Erlang name of a type or function; `#name` of a record; for a type that Erlang has no name
    /// for, the Rust name that it has without overrides.
    pub name: String,
    /// Number of parameters or arguments; may be left out where there is only one of the name.
    pub arity: Option<usize>,
}

/// What a user decides for a type.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypeOverride {
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
    /// Those of [`Overrides::derives`] that it does not get.
    pub no_derives: Vec<String>,
    /// New names of variants, by those that they have without overrides.
    pub variants: BTreeMap<String, String>,
    /// New names of fields, by those that they have without overrides.
    pub fields: BTreeMap<String, String>,
}

/// What a user decides for a function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FunctionOverride {
    /// The function.
    pub target: Target,
    /// Its Rust name; where overloads become several functions, what all their names begin with.
    pub rename: Option<String>,
    /// Whether it is left out.
    pub skip: bool,
}

/// One of the [`Overrides`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OverrideId {
    /// [`Overrides::derives`].
    Derives,
    /// The one of [`Overrides::types`] with this index.
    Type(usize),
    /// The one of [`Overrides::functions`] with this index.
    Function(usize),
}

impl Target {
    /// `module:name/arity`, so far as it is said.
    pub(crate) fn shown(&self) -> String {
        let arity = self.arity.map(|arity| format!("/{arity}"));
        format!("{}:{}{}", self.module, self.name, arity.unwrap_or_default())
    }
}
