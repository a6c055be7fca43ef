//! The derives of each type: those that its override adds, and every derive for all types that it
//! supports. A struct supports a derive of Rust's standard library if all of its parts do.
//!
//! | | does not support |
//! |---|---|
//! | `float()`, `number()` | `Eq`, `Hash`, `Ord`; `number()` no `PartialOrd` either |
//! | `map()` and maps of unknown keys | `Hash`, `PartialOrd`, `Ord` |
//! | `term()`, `tuple()`, `function()` | `Hash` |
//! | funs of known types | `Hash`, `PartialOrd`, `Ord` |
//! | types with heap data | `Copy` |
//! | callers | `Clone`, and all of these: a caller gets one reply |
//!
//! Other derives, and Rust types of the user, are unknown here. They are assumed to fit.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Item, ItemKind, Module, RustType};

/// A derive whose support by types of the run time is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StandardDerive {
    Clone,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Copy,
}

impl StandardDerive {
    /// Returns the derive with this name, if it is one of these.
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            CLONE => StandardDerive::Clone,
            "Eq" => StandardDerive::Eq,
            "Hash" => StandardDerive::Hash,
            "PartialOrd" => StandardDerive::PartialOrd,
            "Ord" => StandardDerive::Ord,
            "Copy" => StandardDerive::Copy,
            _ => return None,
        })
    }
}

/// The derive that every type has unless it contains a caller.
pub(crate) const CLONE: &str = "Clone";

/// An item: its module and name.
type Key<'m> = (&'m str, &'m str);

/// Returns the derives of every item in addition to those that all types have: `Clone` and
/// `everywhere`, as far as it supports them, and those of its override.
pub(super) fn derives<'m>(
    modules: &'m [Module],
    everywhere: &[String],
) -> BTreeMap<Key<'m>, Vec<String>> {
    let everywhere = everywhere.iter().map(String::as_str);
    let without = std::iter::once(CLONE)
        .chain(everywhere)
        .map(|derive| (derive, lacking(modules, derive)));
    let without: Vec<(&str, BTreeSet<Key<'m>>)> = without.collect();
    let derives = |(key, item): (Key<'m>, &'m Item)| {
        let of_all = without
            .iter()
            .filter(|(_, without)| !without.contains(&key));
        let of_all = of_all.map(|(derive, _)| *derive);
        let added = item.derives.added.iter().map(String::as_str);
        let mut derives: Vec<String> = Vec::new();
        for derive in of_all.chain(added) {
            if !derives.iter().any(|known| known == derive) {
                derives.push(derive.to_owned());
            }
        }
        (key, derives)
    };
    let can_derive = |(_, item): &(Key<'m>, &Item)| {
        !matches!(item.kind, ItemKind::Alias(_) | ItemKind::Reexport(_))
    };
    items(modules).filter(can_derive).map(derives).collect()
}

fn items(modules: &[Module]) -> impl Iterator<Item = (Key<'_>, &Item)> {
    modules.iter().flat_map(|module| {
        let items = module.items.iter();
        items.map(|item| ((module.name.as_str(), item.name.as_str()), item))
    })
}

/// Returns the items that do not have a derive: those whose override refuses it, and those with a
/// part that does not support it. An item whose override adds it always has it.
fn lacking<'m>(modules: &'m [Module], derive: &str) -> BTreeSet<Key<'m>> {
    let has = |derives: &[String]| derives.iter().any(|it| it == derive);
    let refused = items(modules).filter(|(_, item)| has(&item.derives.refused));
    let mut lacking: BTreeSet<Key<'m>> = refused.map(|(key, _)| key).collect();
    let Some(own) = StandardDerive::named(derive) else {
        return lacking;
    };
    let mut holders: BTreeMap<Key<'m>, Vec<Key<'m>>> = BTreeMap::new();
    for (key, item) in items(modules).filter(|(_, item)| !has(&item.derives.added)) {
        if lacks(item, own) {
            lacking.insert(key);
        }
        for ty in item.kind.types() {
            held(ty, &mut |part| holders.entry(part).or_default().push(key));
        }
    }
    // Each item is visited once, after one of its parts, so that the cost of a chain of items is
    // linear.
    let mut open: Vec<Key<'m>> = lacking.iter().copied().collect();
    while let Some(part) = open.pop() {
        let holders = holders.remove(&part).unwrap_or_default();
        open.extend(holders.into_iter().filter(|key| lacking.insert(*key)));
    }
    lacking
}

/// Calls `found` with the items inside a type, except those in a fun's signature.
fn held<'m>(ty: &'m RustType, found: &mut dyn FnMut(Key<'m>)) {
    match ty {
        RustType::Fun(..) => return,
        RustType::Item { module, name, .. } => found((module, name)),
        _ => {}
    }
    for part in ty.children() {
        held(part, found);
    }
}

/// Returns whether the item lacks support for the derive, regardless of the items in it.
fn lacks(item: &Item, derive: StandardDerive) -> bool {
    // The properties of this type of the run time are unknown here.
    let elsewhere = derive != StandardDerive::Clone && matches!(item.kind, ItemKind::Reexport(_));
    let of_map = matches!(&item.kind, ItemKind::Map { rest: Some(_), .. });
    let types = item.kind.types().into_iter();
    elsewhere
        || (of_map && runtime_lacks("Map", derive))
        || types.into_iter().any(|ty| part_lacks(ty, derive))
}

fn part_lacks(ty: &RustType, derive: StandardDerive) -> bool {
    let itself = match ty {
        RustType::Runtime(name, _) => runtime_lacks(name, derive),
        RustType::Standard(name, _) => derive == StandardDerive::Copy && *name != "Option",
        RustType::Primitive("f64") => matches!(
            derive,
            StandardDerive::Eq | StandardDerive::Hash | StandardDerive::Ord
        ),
        RustType::Fun(..) => {
            return !matches!(derive, StandardDerive::Clone | StandardDerive::Eq);
        }
        RustType::Bits(..) => derive == StandardDerive::Copy,
        RustType::Mapped { reply, .. } => reply.is_some(),
        RustType::Primitive(_)
        | RustType::Ranged(..)
        | RustType::Literal(_)
        | RustType::Atom(_)
        | RustType::Item { .. }
        | RustType::Tuple(_)
        | RustType::Parameter(_) => false,
    };
    let mut parts = ty.children().into_iter();
    itself || parts.any(|part| part_lacks(part, derive))
}

/// Returns whether a type of the run time lacks support for the derive, regardless of its parts.
fn runtime_lacks(name: &str, derive: StandardDerive) -> bool {
    match derive {
        StandardDerive::Clone => false,
        StandardDerive::Eq => name == "Number",
        StandardDerive::Hash => ["Fun", "Map", "Number", "Term", "Tuple"].contains(&name),
        StandardDerive::PartialOrd | StandardDerive::Ord => ["Map", "Number"].contains(&name),
        StandardDerive::Copy => {
            let small = ["Char", "EmptyMap", "NegInteger", "Never", "Nil", "Timeout"];
            !small.contains(&name)
        }
    }
}
