//! What is to be written, free of Erlang's syntax and of Rust's: items, callbacks, functions.
//!
//! Every name in here is final. Writers print it; they decide nothing.

mod behaviour;
pub(crate) mod function;
mod map;
mod types;

use std::collections::BTreeSet;

use function::Function;

pub(crate) use behaviour::{
    Behaviour, Callback, CallbackAnswer, CallbackArgument, CallbackForm, CallbackNames,
    CallbackParameters, CallbackResult, ClauseTerm, Constructed, Constructor, Discriminant,
    Effects, FunctionFacts, Given, Prelude, Reply, ReturnClause, Returns, StartFunction,
};
pub(crate) use types::{
    DefaultValue, Derives, Element, Field, INTEGERS, Item, ItemKind, Rest, RustType, Variant,
    VariantShape, field_names, led,
};

/// The type parameter of the reply to a request, and the variable of that name in a `-callback`.
pub(crate) const REPLY: &str = "Reply";

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
    /// Names that the whole module has at its top, also those of types that are not generated.
    pub(crate) names_of_whole: BTreeSet<String>,
}

impl Module {
    /// Names at the top of the generated module that are not those of items.
    pub(crate) fn names_beside_items(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        if let Some(behaviour) = &self.behaviour {
            names.insert(behaviour.umbrella.clone());
            names.extend(
                behaviour
                    .discriminants
                    .iter()
                    .map(|discriminant| discriminant.name.clone()),
            );
            for callback in &behaviour.callbacks {
                names.extend([
                    callback.names.callback_trait.clone(),
                    callback.names.return_trait.clone(),
                ]);
                if let Returns::Clauses { name, .. } = &callback.result.returns {
                    names.insert(name.clone());
                }
            }
        }
        names
    }
}
