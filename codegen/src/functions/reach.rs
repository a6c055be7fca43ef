//! Types of other modules that bindings mention.

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::{Function, Module, Record, Type, TypeName};

use crate::facts::DEPTH;
use crate::facts::references::all_parts;
use crate::facts::world::type_name;

/// Names of the other modules that the exported functions of `module` refer to.
pub fn function_references(module: &Module) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for ty in module
        .functions
        .iter()
        .filter(|form| form.exported)
        .flat_map(types)
    {
        names(ty, DEPTH, &mut |name| _ = found.insert(name.module.clone()));
    }
    found.remove(&module.name);
    found
}

/// `modules`, of which the `wanted` ones are whole, and the others have the types that these refer
/// to and nothing else.
pub fn with_bindings(modules: Vec<Module>, wanted: &BTreeSet<String>) -> Vec<Module> {
    let kept = retained(&modules, wanted, &reach(&modules, wanted, true));
    let mut whole: BTreeMap<String, Module> = modules
        .into_iter()
        .filter(|module| wanted.contains(&module.name))
        .map(|module| (module.name.clone(), module))
        .collect();
    kept.into_iter()
        .map(|module| whole.remove(&module.name).unwrap_or(module))
        .collect()
}

/// `modules` without all that the bindings of the `wanted` ones do not name: of these the
/// functions, the exported types and what they refer to stay, of the others the types that are
/// referred to.
pub fn reachable(modules: &[Module], wanted: &BTreeSet<String>) -> Vec<Module> {
    retained(modules, wanted, &reach(modules, wanted, false))
}

fn retained(
    modules: &[Module],
    wanted: &BTreeSet<String>,
    reached: &BTreeSet<Reached>,
) -> Vec<Module> {
    let kept = |module: &Module| {
        let name = |record: &Record| TypeName {
            module: module.name.clone(),
            name: record.name.clone(),
            arity: 0,
        };
        let mut kept = module.clone();
        kept.callbacks.clear();
        if !wanted.contains(&module.name) {
            kept.functions.clear();
        }
        kept.types
            .retain(|definition| reached.contains(&Reached::Type(type_name(module, definition))));
        kept.records
            .retain(|record| reached.contains(&Reached::Record(name(record))));
        kept
    };
    modules
        .iter()
        .map(kept)
        .filter(|module| {
            wanted.contains(&module.name) || !module.types.is_empty() || !module.records.is_empty()
        })
        .collect()
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Reached {
    Type(TypeName),
    Record(TypeName),
}

/// Every type and record that the `wanted` modules refer to: from all of their forms if they stay
/// `whole`, otherwise from their functions and exported types.
fn reach(modules: &[Module], wanted: &BTreeSet<String>, whole: bool) -> BTreeSet<Reached> {
    let mut bodies: BTreeMap<Reached, Vec<&Type>> = BTreeMap::new();
    let mut open: Vec<Reached> = Vec::new();
    for module in modules {
        for definition in &module.types {
            let name = Reached::Type(type_name(module, definition));
            if wanted.contains(&module.name) && (whole || definition.exported) {
                open.push(name.clone());
            }
            bodies.insert(name, vec![&definition.body]);
        }
        for record in &module.records {
            let name = TypeName {
                module: module.name.clone(),
                name: record.name.clone(),
                arity: 0,
            };
            let fields = record.fields.iter().map(|field| &field.ty).collect();
            if wanted.contains(&module.name) && whole {
                open.push(Reached::Record(name.clone()));
            }
            bodies.insert(Reached::Record(name), fields);
        }
        if wanted.contains(&module.name) {
            let functions = module.functions.iter().filter(|form| form.exported);
            let callbacks = module.callbacks.iter().filter(|_| whole);
            let forms = functions.chain(callbacks);
            forms.flat_map(types).for_each(|ty| push(ty, &mut open));
        }
    }
    let mut reached = BTreeSet::new();
    while let Some(name) = open.pop() {
        if reached.insert(name.clone()) {
            let bodies = bodies.get(&name).into_iter().flatten();
            bodies.for_each(|ty| push(ty, &mut open));
        }
    }
    reached
}

fn types(function: &Function) -> impl Iterator<Item = &Type> {
    let clauses = function.clauses.iter();
    clauses.flat_map(|clause| clause.params.iter().chain([&clause.result]))
}

fn push(ty: &Type, open: &mut Vec<Reached>) {
    let mut stack = vec![ty];
    while let Some(ty) = stack.pop() {
        match ty {
            Type::Named(name, _) => open.push(Reached::Type((**name).clone())),
            Type::Record(name, _) => open.push(Reached::Record((**name).clone())),
            _ => {}
        }
        stack.extend(all_parts(ty));
    }
}

fn names(ty: &Type, depth: usize, found: &mut impl FnMut(&TypeName)) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    if let Type::Named(name, _) = ty {
        found(name);
    }
    for part in all_parts(ty) {
        names(part, depth, found);
    }
}
