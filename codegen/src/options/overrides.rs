//! Decisions of a user for single types and functions.

use std::collections::BTreeMap;

use otp_contract::erlang::quote_atom;

/// Decisions of a user for single types and functions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Paths of derives for every struct and enum. A derive of Rust's standard library is applied
    /// only if all parts of a type support it.
    pub derives: Vec<String>,
    /// Types, in the order of the user's file.
    pub types: Vec<TypeOverride>,
    /// Functions, in the order of the user's file.
    pub functions: Vec<FunctionOverride>,
}

/// The item that an override changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Target {
    /// Erlang module.
    pub module: String,
    /// Erlang name of a type or function; `#name` of a record. For a type without an Erlang name,
    /// the Rust name that it has without overrides.
    pub name: String,
    /// Number of parameters or arguments; may be left out if only one item has the name.
    pub arity: Option<usize>,
}

/// Decisions of a user for a type.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypeOverride {
    /// The type.
    pub target: Target,
    /// Its Rust name.
    pub rename: Option<String>,
    /// The Rust type that replaces it.
    pub rust: Option<String>,
    /// Whether it is left out and replaced by the dynamic term.
    pub skip: bool,
    /// Paths of further derives.
    pub derives: Vec<String>,
    /// Derives of [`Overrides::derives`] that it does not get.
    pub no_derives: Vec<String>,
    /// New names of variants, by their names without overrides.
    pub variants: BTreeMap<String, String>,
    /// New names of fields, by their names without overrides.
    pub fields: BTreeMap<String, String>,
}

/// Decisions of a user for a function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FunctionOverride {
    /// The function.
    pub target: Target,
    /// Its Rust name; if overloads become several functions, the prefix of all their names.
    pub rename: Option<String>,
    /// Whether it is left out.
    pub skip: bool,
}

/// One of the [`Overrides`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OverrideId {
    /// [`Overrides::derives`].
    Derives,
    /// The entry of [`Overrides::types`] with this index.
    Type(usize),
    /// The entry of [`Overrides::functions`] with this index.
    Function(usize),
}

impl Target {
    /// Returns `module:name/arity`, as far as the user has written it.
    pub(crate) fn shown(&self) -> String {
        format!("{}:{}", name_part(&self.module), self.shown_name())
    }

    /// Returns `name/arity`, without the module.
    pub(crate) fn shown_name(&self) -> String {
        let arity = self.arity.map(|arity| format!("/{arity}"));
        format!("{}{}", name_part(&self.name), arity.unwrap_or_default())
    }
}

/// Returns a name as a part of `MODULE:NAME/ARITY`, in quotes where the text could not be read
/// otherwise.
pub(crate) fn name_part(name: &str) -> String {
    let (mark, name) = match name.strip_prefix('#') {
        Some(record) => ("#", record),
        None => ("", name),
    };
    let needs_quotes = |c: char| c.is_whitespace() || "/:'\"({[|,#<".contains(c);
    if name.is_empty() || name.contains(needs_quotes) {
        format!("{mark}{}", quote_atom(name))
    } else {
        format!("{mark}{name}")
    }
}
