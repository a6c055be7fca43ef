//! The Rust names of every type and record without overrides, made before anything refers to them.

use std::collections::BTreeMap;

use otp_specs::types::{Module, TypeName};

use crate::facts::world::type_name;
use crate::names::{Taken, camel};
use crate::options::TypeMap;

/// Names of all modules of a run.
#[derive(Debug)]
pub(crate) struct Names(BTreeMap<String, TypeNames>);

impl Names {
    /// Names the types and records of `modules`, which have different names.
    pub(crate) fn new(modules: &[&Module], mapped: &TypeMap) -> Self {
        let named = modules
            .iter()
            .map(|module| (module.name.clone(), TypeNames::new(module, mapped)));
        Names(named.collect())
    }

    /// The name of a type.
    pub(crate) fn of_type(&self, name: &TypeName) -> Option<&str> {
        let names = self.0.get(&name.module)?;
        let found = names.types.get(&(name.name.clone(), name.arity));
        found.map(String::as_str)
    }

    /// The name of a record.
    pub(crate) fn of_record(&self, module: &str, name: &str) -> Option<&str> {
        self.0.get(module)?.records.get(name).map(String::as_str)
    }

    /// Names in use at the top of a generated module.
    pub(crate) fn taken(&self, module: &str) -> Taken {
        let names = self.0.get(module);
        names.map(|names| names.taken.clone()).unwrap_or_default()
    }
}

/// Names of one module.
#[derive(Debug, Clone, Default)]
struct TypeNames {
    types: BTreeMap<(String, usize), String>,
    records: BTreeMap<String, String>,
    /// Names in use at the top of the generated module.
    taken: Taken,
}

impl TypeNames {
    /// Names the types of `module` in source order, then its records. A type written by hand keeps
    /// the name that it has there.
    fn new(module: &Module, mapped: &TypeMap) -> Self {
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
            let free = match mapped.0.get(&type_name(module, definition)) {
                Some(by_hand) => by_hand.name().to_owned(),
                None => with_arity(camel(&definition.name), &definition.name, arity, &arities),
            };
            let name = names.taken.claim(&free);
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
