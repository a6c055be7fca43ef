//! Conditions on cargo features for generated code, if each bound module has a feature.
//!
//! A module with a feature is complete only if its feature is on. Types of the module that other
//! modules use are *shared*: they are available if the feature of any such module is on. A module
//! without a feature has only shared types.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::quote;

use crate::complete::{Complete, Conversion};
use crate::ir::function::{Function, FunctionArgument};
use crate::ir::{Item, ItemKind, RustType, VariantShape};

use super::Provided;

/// A module and the name of an item in it.
type Name = (String, String);

/// The code that the features of a run switch on.
#[derive(Debug, Default)]
pub(crate) struct Features {
    /// Modules that have a feature.
    with_one: BTreeSet<String>,
    shared: BTreeSet<Name>,
    /// For each module, the features that make it available.
    users: BTreeMap<String, BTreeSet<String>>,
    /// For each atom, the features that make it available.
    atoms: BTreeMap<String, BTreeSet<String>>,
}

impl Features {
    /// Computes the features for `modules`. Modules named in `with_one` have one each.
    pub(crate) fn new(
        modules: &[Complete<'_>],
        provided: &Provided,
        with_one: &BTreeSet<String>,
    ) -> Self {
        if with_one.is_empty() {
            return Features::default();
        }
        let named = Named::new(modules, provided);
        let shared = named.shared();
        let mut users: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for feature in with_one {
            for module in named.needed(feature, &shared) {
                users.entry(module).or_default().insert(feature.clone());
            }
        }
        let mut features = Features {
            with_one: with_one.clone(),
            shared,
            users,
            atoms: BTreeMap::new(),
        };
        modules.iter().for_each(|module| features.add_atoms(module));
        features
    }

    /// Adds the features of the atoms that a module uses.
    fn add_atoms(&mut self, complete: &Complete<'_>) {
        let module = complete.module;
        if self.leave_out(&module.name) {
            return;
        }
        let own = BTreeSet::from([module.name.clone()]);
        let all = self.users.get(&module.name).unwrap_or(&own).clone();
        let mut add = |atom: String, features: &BTreeSet<String>| {
            let of_it = self.atoms.entry(atom).or_default();
            of_it.extend(features.iter().cloned());
        };
        for item in &module.items {
            let name = (module.name.clone(), item.name.clone());
            let features = if self.shared.contains(&name) {
                &all
            } else {
                &own
            };
            for atom in atoms_of_item(item, complete.conversions(item)) {
                add(atom, features);
            }
        }
        for atom in module.functions.iter().flat_map(atoms_of_function) {
            add(atom, &own);
        }
    }

    /// Returns the condition of an atom.
    pub(crate) fn of_atom(&self, atom: &str) -> Option<String> {
        condition(self.atoms.get(atom)?)
    }

    /// Returns whether no feature needs the module.
    pub(crate) fn leave_out(&self, module: &str) -> bool {
        !self.with_one.is_empty() && !self.users.contains_key(module)
    }

    /// Returns the condition of a whole module.
    pub(crate) fn of_module(&self, module: &str) -> Option<String> {
        condition(self.users.get(module)?)
    }

    /// Returns the condition of an item inside its module.
    pub(crate) fn of_item(&self, module: &str, item: &str) -> Option<TokenStream> {
        let name = (module.to_owned(), item.to_owned());
        (!self.shared.contains(&name)).then(|| self.of_functions(module))?
    }

    /// Returns the condition of a module's functions inside it.
    pub(crate) fn of_functions(&self, module: &str) -> Option<TokenStream> {
        let others = self.users.get(module)?.iter().any(|user| user != module);
        (others && self.with_one.contains(module)).then(|| quote!(#[cfg(feature = #module)]))
    }
}

/// Returns a condition that is true if one of these features is on.
fn condition(features: &BTreeSet<String>) -> Option<String> {
    let mut each = features
        .iter()
        .map(|feature| format!("feature = {feature:?}"));
    match features.len() {
        1 => each.next(),
        _ => Some(format!("any({})", each.collect::<Vec<_>>().join(", "))),
    }
}

/// The references of each item and of each module's functions.
struct Named {
    items: BTreeMap<Name, BTreeSet<Name>>,
    functions: BTreeMap<String, BTreeSet<Name>>,
}

impl Named {
    fn new(modules: &[Complete<'_>], provided: &Provided) -> Self {
        let mut items = BTreeMap::new();
        let mut functions = BTreeMap::new();
        for module in modules.iter().map(|complete| complete.module) {
            for item in &module.items {
                let name = (module.name.clone(), item.name.clone());
                let is_provided = provided.has(&module.name, &item.name);
                let names = (!is_provided).then(|| of_item(item));
                items.insert(name, names.unwrap_or_default());
            }
            let names = module.functions.iter().flat_map(of_function).collect();
            functions.insert(module.name.clone(), names);
        }
        Named { items, functions }
    }

    /// Returns the items that other modules use, and the items that these refer to.
    fn shared(&self) -> BTreeSet<Name> {
        let by_items = self
            .items
            .iter()
            .map(|((module, _), names)| (module, names));
        let all = by_items.chain(&self.functions);
        let mut open: Vec<&Name> = all
            .flat_map(|(module, names)| names.iter().filter(move |(other, _)| other != module))
            .collect();
        let mut shared = BTreeSet::new();
        while let Some(name) = open.pop() {
            if shared.insert(name.clone()) {
                open.extend(self.items.get(name).into_iter().flatten());
            }
        }
        shared
    }

    /// Returns `module`, and the modules whose shared items it needs.
    fn needed(&self, module: &str, shared: &BTreeSet<Name>) -> BTreeSet<String> {
        let functions = self.functions.get(module).into_iter().flatten();
        let mut open: Vec<&str> = functions.map(|(module, _)| module.as_str()).collect();
        open.extend(self.modules_of_items(module, |_| true));
        let mut needed = BTreeSet::from([module.to_owned()]);
        while let Some(module) = open.pop() {
            if needed.insert(module.to_owned()) {
                open.extend(self.modules_of_items(module, |name| shared.contains(name)));
            }
        }
        needed
    }

    fn modules_of_items<'a>(
        &'a self,
        module: &'a str,
        counts: impl Fn(&Name) -> bool + 'a,
    ) -> impl Iterator<Item = &'a str> {
        let items = self.items.iter();
        let items = items.filter(move |(name, _)| name.0 == module && counts(name));
        items.flat_map(|(_, names)| names.iter().map(|(module, _)| module.as_str()))
    }
}

fn of_item(item: &Item) -> BTreeSet<Name> {
    names(item.kind.types())
}

fn of_function(function: &Function) -> BTreeSet<Name> {
    names(function.types())
}

fn names<'t>(types: impl IntoIterator<Item = &'t RustType>) -> BTreeSet<Name> {
    let mut open: Vec<&RustType> = types.into_iter().collect();
    let mut names = BTreeSet::new();
    while let Some(ty) = open.pop() {
        if let RustType::Item { module, name, .. } = ty {
            names.insert((module.clone(), name.clone()));
        }
        open.extend(ty.children());
    }
    names
}

/// Returns the atoms that a written item uses.
fn atoms_of_item(item: &Item, conversions: &[Conversion]) -> Vec<String> {
    let mut atoms = atoms_of_types(item.kind.types());
    match &item.kind {
        ItemKind::Enum(variants) => {
            let tags = variants.iter().filter_map(|variant| match &variant.shape {
                VariantShape::Unit(tag) | VariantShape::Tagged(tag, _) => Some(tag.clone()),
                VariantShape::Tuple(_) | VariantShape::Untagged(_) => None,
            });
            atoms.extend(tags);
        }
        ItemKind::Tuple { tag, .. } => atoms.extend(tag.clone()),
        _ => {}
    }
    let values = conversions.iter().filter_map(Conversion::atom);
    atoms.extend(values.map(str::to_owned));
    atoms
}

/// Returns the atoms that a declared function uses.
fn atoms_of_function(function: &Function) -> Vec<String> {
    let mut atoms = atoms_of_types(function.types());
    let given = function
        .arguments
        .iter()
        .filter_map(|argument| match argument {
            FunctionArgument::Given(atom) => Some(atom.clone()),
            FunctionArgument::Open(..) => None,
        });
    atoms.extend(given);
    atoms
}

fn atoms_of_types(mut open: Vec<&RustType>) -> Vec<String> {
    let mut atoms = Vec::new();
    while let Some(ty) = open.pop() {
        if let RustType::Atom(atom) = ty {
            atoms.push(atom.clone());
        }
        open.extend(ty.children());
    }
    atoms
}
