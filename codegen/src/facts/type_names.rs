//! The Rust names of every type and record, settled before anything refers to them.

use std::collections::BTreeMap;

use otp_specs::types::Module;

use crate::facts::world::type_name;
use crate::names::{Taken, camel};
use crate::options::TypeMap;

/// Names of one module.
#[derive(Debug, Clone, Default)]
pub(crate) struct TypeNames {
    types: BTreeMap<(String, usize), String>,
    records: BTreeMap<String, String>,
    /// Names in use at the top of the generated module.
    pub(crate) taken: Taken,
}

impl TypeNames {
    /// Names the types of `module` in source order, then its records. A type written by hand keeps
    /// the name that it has there.
    pub(crate) fn new(module: &Module, mapped: &TypeMap) -> Self {
        let mut names = TypeNames::default();
        let arities = smallest_arities(
            module
                .types
                .iter()
                .map(|definition| (definition.name.as_str(), definition.params.len())),
        );
        for definition in &module.types {
            let arity = definition.params.len();
            let key = (definition.name.clone(), arity);
            if names.types.contains_key(&key) {
                continue;
            }
            let wanted = match mapped.0.get(&type_name(module, definition)) {
                Some(by_hand) => by_hand.name().to_owned(),
                None => with_arity(camel(&definition.name), &definition.name, arity, &arities),
            };
            let name = names.taken.claim(&wanted);
            names.types.insert(key, name);
        }
        for record in &module.records {
            if !names.records.contains_key(&record.name) {
                let name = names.taken.claim(&format!("{}Record", camel(&record.name)));
                names.records.insert(record.name.clone(), name);
            }
        }
        names
    }

    /// The name of a type.
    pub(crate) fn of_type(&self, name: &str, arity: usize) -> Option<&str> {
        self.types
            .get(&(name.to_owned(), arity))
            .map(String::as_str)
    }

    /// The name of a record.
    pub(crate) fn of_record(&self, name: &str) -> Option<&str> {
        self.records.get(name).map(String::as_str)
    }
}

/// The smallest arity of each name.
pub(crate) fn smallest_arities<'n>(
    names: impl Iterator<Item = (&'n str, usize)>,
) -> BTreeMap<&'n str, usize> {
    let mut smallest = BTreeMap::new();
    for (name, arity) in names {
        let least = smallest.entry(name).or_insert(arity);
        *least = arity.min(*least);
    }
    smallest
}

/// `rust`, with `arity` behind it unless that is the smallest arity of `name`.
pub(crate) fn with_arity(
    rust: String,
    name: &str,
    arity: usize,
    smallest: &BTreeMap<&str, usize>,
) -> String {
    if smallest.get(name).is_none_or(|least| *least == arity) {
        rust
    } else {
        format!("{rust}{arity}")
    }
}
