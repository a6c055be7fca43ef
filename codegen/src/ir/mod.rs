//! What is to be written, free of Erlang's syntax and of Rust's: items, callbacks, conversions.
//!
//! Every name in here is final. Writers print it; they decide nothing.

mod behaviour;
pub(crate) mod function;
mod types;

use std::collections::BTreeSet;

use function::Function;

pub(crate) use behaviour::{
    Answer, Argument, Behaviour, Callback, Choice, Clause, ClauseTerm, Constructed, Constructor,
    Form, Given, Part, Reply, Returns, StartFunction,
};
pub(crate) use types::{
    Conversion, Element, Field, Item, Kind, Rest, RustType, Shape, Source, Variant, led,
};

/// A module's generated code.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Module {
    /// Erlang name, also the name of the Rust module and file.
    pub(crate) name: String,
    /// Types, the named ones first, in source order.
    pub(crate) items: Vec<Item>,
    /// What a module with `-callback` forms has besides.
    pub(crate) behaviour: Option<Behaviour>,
    /// Bindings of its functions, if they were asked for.
    pub(crate) functions: Vec<Function>,
    /// Every atom that the code names.
    pub(crate) atoms: BTreeSet<String>,
}
