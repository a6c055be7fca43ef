//! Type parameters that a Rust type does not mention: Rust refuses them, so they go, and with them
//! the arguments at every use.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::function::Function;
use crate::ir::{Item, Module, RustType};

/// Which parameters stay, by module and name of the item.
type Kept = BTreeMap<(String, String), Vec<bool>>;

/// `modules` without parameters that no part of an item mentions.
pub(super) fn pruned(modules: Vec<Module>) -> Vec<Module> {
    let kept = kept(&modules);
    let module = |module: Module| {
        let name = module.name.clone();
        let parameters = |item: &Item| {
            let flags = kept.get(&(name.clone(), item.name.clone()));
            retained(&item.parameters, flags)
        };
        let mut module = module.map(&parameters, &|ty| prune(&ty, &kept));
        let functions = std::mem::take(&mut module.functions).into_iter();
        module.functions = functions.map(Function::with_mentioned_parameters).collect();
        module
    };
    modules.into_iter().map(module).collect()
}

/// Those of `all` that stay.
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
fn kept(modules: &[Module]) -> Kept {
    let mut kept = Kept::new();
    for module in modules {
        for item in module
            .items
            .iter()
            .filter(|item| !item.parameters.is_empty())
        {
            let key = (module.name.clone(), item.name.clone());
            kept.insert(key, vec![false; item.parameters.len()]);
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
                    mentioned(ty, &kept, &mut found);
                }
                let key = (module.name.clone(), item.name.clone());
                let known = kept.entry(key).or_default();
                for (stays, name) in known.iter_mut().zip(&item.parameters) {
                    if !*stays && found.contains(name) {
                        *stays = true;
                        changed = true;
                    }
                }
            }
        }
        if !changed {
            return kept;
        }
    }
}

/// Parameters in `ty`, arguments that will go left out.
fn mentioned(ty: &RustType, kept: &Kept, found: &mut BTreeSet<String>) {
    match ty {
        RustType::Parameter(name) => _ = found.insert(name.clone()),
        RustType::Item {
            module,
            name,
            arguments,
        } => {
            let flags = kept.get(&(module.clone(), name.clone()));
            for (index, argument) in arguments.iter().enumerate() {
                if flags
                    .and_then(|flags| flags.get(index))
                    .copied()
                    .unwrap_or(true)
                {
                    mentioned(argument, kept, found);
                }
            }
        }
        other => other
            .children()
            .into_iter()
            .for_each(|child| mentioned(child, kept, found)),
    }
}

fn prune(ty: &RustType, kept: &Kept) -> RustType {
    match ty.map_children(&mut |child| prune(child, kept)) {
        RustType::Item {
            module,
            name,
            arguments,
        } => {
            let flags = kept.get(&(module.clone(), name.clone()));
            RustType::Item {
                arguments: retained(&arguments, flags),
                module,
                name,
            }
        }
        other => other,
    }
}
