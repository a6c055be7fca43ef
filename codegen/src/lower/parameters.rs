//! Type parameters that a Rust type does not mention: Rust refuses them, so they go, and with them
//! the arguments at every use.

use std::collections::{BTreeMap, BTreeSet};

use super::visit::for_each_type;
use crate::ir::{Module, RustType};

/// Which parameters stay, by module and name of the item.
type Kept = BTreeMap<(String, String), Vec<bool>>;

/// Removes parameters that no part of an item mentions.
pub(crate) fn prune_parameters(modules: &mut [Module]) {
    let kept = kept(modules);
    for module in modules.iter_mut() {
        for item in &mut module.items {
            if let Some(kept) = kept.get(&(module.name.clone(), item.name.clone())) {
                let mut flags = kept.iter();
                item.parameters
                    .retain(|_| flags.next().copied().unwrap_or(true));
            }
        }
        for_each_type(module, &mut |ty| *ty = prune(ty, &kept));
    }
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
                let flags = item
                    .parameters
                    .iter()
                    .map(|name| found.contains(name))
                    .collect();
                let key = (module.name.clone(), item.name.clone());
                if kept.get(&key) != Some(&flags) {
                    kept.insert(key, flags);
                    changed = true;
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
    let mut pruned = ty.map_children(&mut |child| prune(child, kept));
    if let RustType::Item {
        module,
        name,
        arguments,
    } = &mut pruned
        && let Some(flags) = kept.get(&(module.clone(), name.clone()))
    {
        let mut flags = flags.iter();
        arguments.retain(|_| flags.next().copied().unwrap_or(true));
    }
    pruned
}
