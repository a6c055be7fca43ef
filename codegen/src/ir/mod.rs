//! The generated code in a form that is independent of Erlang's and of Rust's syntax: items,
//! callbacks, functions.
//!
//! Every name in it is final. Writers print it, and decide nothing themselves.

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

/// The type parameter of the reply to a request. A `-callback` has a variable of that name.
pub(crate) const REPLY: &str = "Reply";

/// A module's generated code.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Module {
    /// Erlang name, also the name of the Rust module and file.
    pub(crate) name: String,
    /// Types, the named ones first, in source order.
    pub(crate) items: Vec<Item>,
    /// The additional parts of a module with `-callback` forms.
    pub(crate) behaviour: Option<Behaviour>,
    /// Bindings of its functions, if they were requested.
    pub(crate) functions: Vec<Function>,
    /// Every atom that the code uses.
    pub(crate) atoms: BTreeSet<String>,
    /// Names at the top of the complete module, including those of types that are not generated.
    pub(crate) names_of_whole: BTreeSet<String>,
}

impl Module {
    /// Returns names at the top of the generated module that do not belong to items.
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
