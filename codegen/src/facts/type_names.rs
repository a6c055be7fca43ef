//! The Rust names of every type and record without overrides, determined before other code refers
//! to them.
//!
//! Two types of one name can be equal except for additional parameters of the second one, for which
//! the first one allows any term: `set()` is `set(_)`. In Rust, both are one type, and these
//! parameters have `Term` as their default.

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::{Module, Type, TypeDef, TypeName};

use crate::facts::bare;
use crate::facts::world::type_name;
use crate::names::modules::type_base;
use crate::names::words::joined;
use crate::names::{LIMIT, Taken, camel, trait_base};
use crate::options::TypeMap;

/// Names of all modules of a run.
#[derive(Debug)]
pub(crate) struct Names(BTreeMap<String, TypeNames>);

impl Names {
    /// Names the types and records of `modules`, whose names must be distinct.
    pub(crate) fn new(modules: &[&Module], mapped: &TypeMap) -> Self {
        let named = modules
            .iter()
            .map(|module| (module.name.clone(), TypeNames::new(module, mapped)));
        Names(named.collect())
    }

    pub(crate) fn of_type(&self, name: &TypeName) -> Option<&str> {
        let names = self.0.get(&name.module)?;
        let found = names.types.get(&(name.name.clone(), name.arity));
        found.map(String::as_str)
    }

    pub(crate) fn of_record(&self, module: &str, name: &str) -> Option<&str> {
        self.0.get(module)?.records.get(name).map(String::as_str)
    }

    /// If another type of this name is equal to `name` except for additional parameters, returns
    /// the number of parameters of that type.
    pub(crate) fn instance(&self, name: &TypeName) -> Option<usize> {
        let names = self.0.get(&name.module)?;
        let found = names.instances.get(&(name.name.clone(), name.arity));
        found.copied()
    }

    /// Returns the number of parameters of the type that have no default.
    pub(crate) fn required(&self, name: &TypeName) -> usize {
        let Some(names) = self.0.get(&name.module) else {
            return name.arity;
        };
        let key = |arity| (name.name.clone(), arity);
        let mut of_name = names.instances.range(key(0)..key(name.arity));
        let smallest = of_name.find(|(_, full)| **full == name.arity);
        smallest.map_or(name.arity, |((_, arity), _)| *arity)
    }

    /// Returns names at the top of a module that follow from its forms, independent of the parts
    /// that are generated.
    pub(crate) fn at_top(&self, module: &Module) -> BTreeSet<String> {
        let callbacks = module.callbacks.iter().map(|form| camel(&form.name));
        let behaviour = callbacks.chain([camel(trait_base(&module.name))]);
        let mut all = self.taken(&module.name).into_names();
        all.extend(behaviour.filter(|_| !module.callbacks.is_empty()));
        all
    }

    /// Returns names in use at the top of a generated module.
    pub(crate) fn taken(&self, module: &str) -> Taken {
        let names = self.0.get(module);
        names.map(|names| names.taken.clone()).unwrap_or_default()
    }
}

/// A type's name and the number of its parameters.
type Key = (String, usize);

/// Names of one module.
#[derive(Debug, Clone, Default)]
struct TypeNames {
    types: BTreeMap<Key, String>,
    /// For a type that is equal to another one except for additional parameters: the number of
    /// parameters of that other type.
    instances: BTreeMap<Key, usize>,
    records: BTreeMap<String, String>,
    /// Names in use at the top of the generated module.
    taken: Taken,
}

impl TypeNames {
    /// Names the types of `module` in source order, then its records. A hand-written type keeps its
    /// name.
    fn new(module: &Module, mapped: &TypeMap) -> Self {
        let mut names = TypeNames {
            instances: instances(module, mapped),
            ..TypeNames::default()
        };
        let smallest = smallest(module, &names.instances);
        for definition in &module.types {
            let arity = definition.params.len();
            let key = (definition.name.clone(), arity);
            if names.types.contains_key(&key) || names.instances.contains_key(&key) {
                continue;
            }
            let free = match mapped.0.get(&type_name(module, definition)) {
                Some(by_hand) => vec![by_hand.name().to_owned()],
                None => candidates(module, definition, &smallest),
            };
            let name = names.taken.claim_first(&free);
            names.types.insert(key, name);
        }
        for ((name, arity), full) in &names.instances {
            if let Some(rust) = names.types.get(&(name.clone(), *full)).cloned() {
                names.types.insert((name.clone(), *arity), rust);
            }
        }
        for record in &module.records {
            if !names.records.contains_key(&record.name) {
                let plain = camel(&record.name);
                let long = joined(&[plain.as_str(), "Record"]);
                let name = if long.len() > LIMIT {
                    names.taken.claim_first(&[plain, long])
                } else {
                    names.taken.claim_first(&[long])
                };
                names.records.insert(record.name.clone(), name);
            }
        }
        names
    }
}

/// Returns the smallest number of parameters for each name of a type.
fn smallest<'m>(
    module: &'m Module,
    instances: &BTreeMap<Key, usize>,
) -> BTreeMap<&'m str, &'m [String]> {
    let mut smallest: BTreeMap<&str, &[String]> = BTreeMap::new();
    for definition in &module.types {
        if instances.contains_key(&(definition.name.clone(), definition.params.len())) {
            continue;
        }
        let known = smallest
            .entry(&definition.name)
            .or_insert(&definition.params);
        if definition.params.len() < known.len() {
            *known = &definition.params;
        }
    }
    smallest
}

/// Returns names for a type, the best first: the smallest arity has the plain name, the others
/// include the names of further parameters.
fn candidates(
    module: &Module,
    definition: &TypeDef,
    smallest: &BTreeMap<&str, &[String]>,
) -> Vec<String> {
    let plain = camel(type_base(&module.name, &definition.name));
    let known = smallest.get(definition.name.as_str()).copied();
    let known = known.unwrap_or_default();
    let further: Vec<&str> = definition
        .params
        .iter()
        .filter(|name| !known.contains(name))
        .map(String::as_str)
        .collect();
    let longer = joined(&[&[plain.as_str(), "With"], further.as_slice()].concat());
    if definition.params.len() == known.len() {
        vec![plain]
    } else {
        vec![longer]
    }
}

/// Returns the types of `module` that are equal to others of their names, with any term for the
/// further parameters.
fn instances(module: &Module, mapped: &TypeMap) -> BTreeMap<Key, usize> {
    let defined: BTreeSet<Key> = module
        .types
        .iter()
        .map(|definition| (definition.name.clone(), definition.params.len()))
        .collect();
    let mut instances = BTreeMap::new();
    for definition in &module.types {
        let (Type::Named(name, arguments), false) = (
            bare(&definition.body),
            mapped.0.contains_key(&type_name(module, definition)),
        ) else {
            continue;
        };
        let own = definition.params.len();
        let same_name = name.module == module.name && name.name == definition.name;
        let is_defined = defined.contains(&(name.name.clone(), arguments.len()));
        if same_name
            && is_defined
            && own < arguments.len()
            && passes_on(&definition.params, arguments)
        {
            let key = (definition.name.clone(), own);
            instances.entry(key).or_insert(arguments.len());
        }
    }
    // The resulting type is the last one of a chain.
    let ends: BTreeMap<Key, usize> = instances
        .iter()
        .map(|((name, arity), next)| {
            let mut end = *next;
            while let Some(next) = instances.get(&(name.clone(), end)) {
                end = *next;
            }
            ((name.clone(), *arity), end)
        })
        .collect();
    ends
}

/// Returns whether `arguments` are the parameters in their order, followed by any term.
fn passes_on(params: &[String], arguments: &[Type]) -> bool {
    let is_any = |ty: &Type| match bare(ty) {
        Type::Any => true,
        Type::Var(name) => name.starts_with('_'),
        _ => false,
    };
    let (same, further) = arguments.split_at(params.len());
    let is_own = |(param, ty): (&String, &Type)| matches!(ty, Type::Var(name) if name == param);
    params.iter().zip(same).all(is_own) && further.iter().all(is_any)
}
