//! Differences between the return values of a behaviour's callbacks in two OTP releases.

mod change;
mod covers;
mod key;
mod members;
mod narrow;

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::{Function, Module, Type, TypeName};

use crate::facts::world::World;
use crate::facts::{DEPTH, clauses};
use crate::text;
pub use change::Change;
use members::Members;
use narrow::difference;

/// Compares the callbacks of a module in two sets of modules. Types that are missing from a set are
/// assumed to be equal if their names are.
pub fn changes<'a>(
    old: impl IntoIterator<Item = &'a Module>,
    new: impl IntoIterator<Item = &'a Module>,
    module: &str,
) -> Vec<Change> {
    let sides = (World::of(old), World::of(new));
    let (before, after) = (callbacks(&sides.0, module), callbacks(&sides.1, module));
    let mut changes = Vec::new();
    // Types whose changes are already listed, for example as types of results.
    let mut given = BTreeSet::new();
    for (key, function) in &after {
        let callback = format!("{}/{}", text::atom(key.0), key.1);
        match before.get(key) {
            None => changes.push(Change::Added {
                callback,
                optional: function.optional,
                erlang: function.erlang.clone(),
            }),
            Some(earlier) => {
                given.extend(compare(callback, earlier, function, &sides, &mut changes))
            }
        }
    }
    for (key, function) in &before {
        if !after.contains_key(key) {
            changes.push(Change::Removed {
                callback: format!("{}/{}", text::atom(key.0), key.1),
                erlang: function.erlang.clone(),
            });
        }
    }
    for name in returned(&sides.1, &after) {
        if !given.contains(&name) {
            changes.extend(changed_type(&name, &sides));
        }
    }
    changes
}

type Callbacks<'a> = BTreeMap<(&'a str, usize), &'a Function>;

fn callbacks<'a>(world: &World<'a>, module: &str) -> Callbacks<'a> {
    let found = world.modules.iter().find(|known| known.name == module);
    let callbacks = found.map_or(&[][..], |module| &module.callbacks);
    let keyed = callbacks
        .iter()
        .map(|one| ((one.name.as_str(), one.arity), one));
    keyed.collect()
}

/// Adds the changes of a callback, and returns the names of the unions that were expanded.
fn compare(
    callback: String,
    old: &Function,
    new: &Function,
    sides: &(World<'_>, World<'_>),
    changes: &mut Vec<Change>,
) -> BTreeSet<TypeName> {
    if old.optional != new.optional {
        changes.push(Change::Optional {
            callback: callback.clone(),
            now: new.optional,
        });
    }
    let old = Members::of(&sides.0, &clauses::signature(old).result);
    let new = Members::of(&sides.1, &clauses::signature(new).result);
    if let Some((added, removed)) = difference(&old.found, &new.found) {
        changes.push(Change::Returns {
            callback,
            added,
            removed,
        });
    }
    new.names
}

/// Compares a named type that both versions have.
fn changed_type(name: &TypeName, sides: &(World<'_>, World<'_>)) -> Option<Change> {
    let (old, new) = (sides.0.definition(name)?, sides.1.definition(name)?);
    let old = Members::of(&sides.0, &old.body).found;
    let new = Members::of(&sides.1, &new.body).found;
    let (added, removed) = difference(&old, &new)?;
    let (module, base) = (text::atom(&name.module), text::atom(&name.name));
    Some(Change::Type {
        name: format!("{module}:{base}/{}", name.arity),
        added,
        removed,
    })
}

/// Returns every named type in a result, or in another of these types.
fn returned(world: &World<'_>, callbacks: &Callbacks<'_>) -> BTreeSet<TypeName> {
    let mut found = BTreeSet::new();
    let mut ahead = Vec::new();
    for function in callbacks.values() {
        for clause in &function.clauses {
            names(&clause.result, DEPTH, &mut ahead);
        }
    }
    while let Some(name) = ahead.pop() {
        if let Some(definition) = world.definition(&name)
            && found.insert(name)
        {
            names(&definition.body, DEPTH, &mut ahead);
        }
    }
    found
}

fn names(ty: &Type, depth: usize, found: &mut Vec<TypeName>) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    if let Type::Named(name, _) = ty {
        found.push((**name).clone());
    }
    for (part, _) in crate::facts::parts(ty) {
        names(part, depth, found);
    }
}
