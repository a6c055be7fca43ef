//! Removes type parameters that a Rust type does not mention, because Rust refuses them, and their
//! arguments at every use.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::function::Function;
use crate::ir::{Item, Module, RustType};

/// Which parameters are kept, by module and name of the item.
type UsedParameters = BTreeMap<(String, String), Vec<bool>>;

/// Returns `modules` without parameters that no part of an item mentions.
pub(super) fn pruned(modules: Vec<Module>) -> Vec<Module> {
    let used = used(&modules);
    let module = |module: Module| {
        let name = module.name.clone();
        let parameters = |item: &Item| {
            let flags = used.get(&(name.clone(), item.name.clone()));
            retained(&item.parameters, flags)
        };
        let mut module = module.map(&parameters, &|ty| prune(&ty, &used));
        let functions = std::mem::take(&mut module.functions).into_iter();
        module.functions = functions.map(Function::with_mentioned_parameters).collect();
        module
    };
    modules.into_iter().map(module).collect()
}

/// Returns the elements of `all` that are kept.
fn retained<T: Clone>(all: &[T], flags: Option<&Vec<bool>>) -> Vec<T> {
    let stays = |index: usize| {
        flags
            .and_then(|flags| flags.get(index).copied())
            .unwrap_or(true)
    };
    let indexed = all.iter().enumerate();
    indexed
        .filter(|(index, _)| stays(*index))
        .map(|(_, one)| one.clone())
        .collect()
}

/// Starts with no parameter and adds those that are mentioned, until nothing changes.
fn used(modules: &[Module]) -> UsedParameters {
    let mut used = UsedParameters::new();
    for module in modules {
        for item in module
            .items
            .iter()
            .filter(|item| !item.parameters.is_empty())
        {
            let key = (module.name.clone(), item.name.clone());
            used.insert(key, vec![false; item.parameters.len()]);
        }
    }
    loop {
        let mut changed = false;
        for module in modules {
            for item in module
                .items
                .iter()
                .filter(|item| !item.parameters.is_empty())
            {
                let mut found = BTreeSet::new();
                for ty in item.kind.types() {
                    mentioned(ty, &used, &mut found);
                }
                let key = (module.name.clone(), item.name.clone());
                let known = used.entry(key).or_default();
                for (stays, name) in known.iter_mut().zip(&item.parameters) {
                    if !*stays && found.contains(name) {
                        *stays = true;
                        changed = true;
                    }
                }
            }
        }
        if !changed {
            return used;
        }
    }
}

/// Collects the parameters in `ty`, except in arguments that will be removed.
fn mentioned(ty: &RustType, used: &UsedParameters, found: &mut BTreeSet<String>) {
    match ty {
        RustType::Parameter(name) => _ = found.insert(name.clone()),
        RustType::Item {
            module,
            name,
            arguments,
        } => {
            let flags = used.get(&(module.clone(), name.clone()));
            for (index, argument) in arguments.iter().enumerate() {
                if flags
                    .and_then(|flags| flags.get(index))
                    .copied()
                    .unwrap_or(true)
                {
                    mentioned(argument, used, found);
                }
            }
        }
        other => other
            .children()
            .into_iter()
            .for_each(|child| mentioned(child, used, found)),
    }
}

fn prune(ty: &RustType, used: &UsedParameters) -> RustType {
    match ty.map_children(&mut |child| prune(child, used)) {
        RustType::Item {
            module,
            name,
            arguments,
        } => {
            let flags = used.get(&(module.clone(), name.clone()));
            RustType::Item {
                arguments: retained(&arguments, flags),
                module,
                name,
            }
        }
        other => other,
    }
}
