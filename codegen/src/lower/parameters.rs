//! Type parameters that a Rust type does not mention: Rust refuses them, so they go, and with them
//! the arguments at every use.

use std::collections::{BTreeMap, BTreeSet};

use crate::functions::ir::Function;
use crate::ir::{Element, Given, Kind, Module, Returns, RustType, Shape, Variant};

/// Which parameters stay, by module and name of the item.
type Kept = BTreeMap<(String, String), Vec<bool>>;

/// Removes parameters that no part of an item mentions.
pub(crate) fn prune_parameters(modules: &mut [Module]) {
    let kept = kept(modules);
    for module in modules.iter_mut() {
        let name = module.name.clone();
        for item in &mut module.items {
            if let Some(kept) = kept.get(&(name.clone(), item.name.clone())) {
                let mut flags = kept.iter();
                item.parameters
                    .retain(|_| flags.next().copied().unwrap_or(true));
            }
            item.kind.for_each_type(&mut |ty| *ty = prune(ty, &kept));
        }
        for callback in module
            .behaviour
            .iter_mut()
            .flat_map(|behaviour| &mut behaviour.callbacks)
        {
            for argument in &mut callback.arguments {
                argument.ty = prune(&argument.ty, &kept);
            }
            callback
                .returns
                .for_each_type(&mut |ty| *ty = prune(ty, &kept));
        }
        for made in module
            .behaviour
            .iter_mut()
            .flat_map(|behaviour| &mut behaviour.constructors)
        {
            for (_, given) in &mut made.elements {
                if let Given::Same(ty) = given {
                    *ty = prune(ty, &kept);
                }
            }
            for ty in made.enums.iter_mut().flat_map(|made| &mut made.types) {
                *ty = prune(ty, &kept);
            }
        }
        for ty in module.functions.iter_mut().flat_map(Function::types_mut) {
            *ty = prune(ty, &kept);
        }
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

impl Kind {
    fn for_each_type(&mut self, change: &mut impl FnMut(&mut RustType)) {
        match self {
            Kind::Reexport(_) => {}
            Kind::Alias(ty) | Kind::Newtype { inner: ty, .. } => change(ty),
            Kind::Tuple { elements, .. } => elements_types(elements, change),
            Kind::Map { fields, rest } => {
                fields.iter_mut().for_each(|field| change(&mut field.ty));
                if let Some(rest) = rest {
                    change(&mut rest.key);
                    change(&mut rest.value);
                }
            }
            Kind::Record { fields, .. } => {
                fields.iter_mut().for_each(|field| change(&mut field.ty));
            }
            Kind::Enum(variants) => variants_types(variants, change),
        }
    }
}

impl Returns {
    fn for_each_type(&mut self, change: &mut impl FnMut(&mut RustType)) {
        match self {
            Returns::AnyTerm => {}
            Returns::Type(ty) => change(ty),
            Returns::Clauses { variants, .. } => variants_types(variants, change),
        }
    }
}

fn variants_types(variants: &mut [Variant], change: &mut impl FnMut(&mut RustType)) {
    for variant in variants {
        match &mut variant.shape {
            Shape::Unit(_) => {}
            Shape::Tagged(_, elements) | Shape::Tuple(elements) => {
                elements_types(elements, change);
            }
            Shape::Untagged(ty) => change(ty),
        }
    }
}

fn elements_types(elements: &mut [Element], change: &mut impl FnMut(&mut RustType)) {
    elements
        .iter_mut()
        .for_each(|element| change(&mut element.ty));
}
