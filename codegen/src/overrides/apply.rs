//! Names and derives of what was lowered.

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::Module as Resolved;

use super::able::{Items, Own, lacking};
use super::find::no_such_type;
use super::{Matched, OverrideDiagnostic, OverrideId, TypeOverride};
use crate::ir::function::Function;
use crate::ir::{Item, Kind, Module, RustType};
use crate::lower::for_each_type;
use crate::names::snake;

/// New names of items by module and old name.
type Renamed = BTreeMap<(String, String), String>;

/// Names and derives as the entries say. Gives what is wrong with them.
pub(crate) fn apply(
    modules: &mut [Module],
    resolved: &[&Resolved],
    settled: &Matched<'_>,
) -> Vec<OverrideDiagnostic> {
    let mut diagnostics = settled.diagnostics.clone();
    diagnostics.extend(missing(modules, resolved, settled));
    for derive in &settled.overrides.derives {
        everywhere(derive, modules, settled);
    }
    let mut renamed = Renamed::new();
    for module in modules.iter_mut() {
        for item in &mut module.items {
            let key = (module.name.clone(), item.name.clone());
            let index = settled.items.get(&key);
            let entry = index.map(|index| &settled.overrides.types[*index]);
            for derive in entry.iter().flat_map(|entry| &entry.derives) {
                add(item, derive);
            }
            if let Some((index, entry)) = index.zip(entry) {
                of_item(
                    item,
                    OverrideId::Type(*index),
                    entry,
                    settled,
                    &mut diagnostics,
                );
                renamed.extend(entry.rename.clone().map(|name| (key, name)));
            }
        }
        functions(module, settled, &mut diagnostics);
    }
    rename(modules, &renamed);
    diagnostics.extend(collisions(modules, &renamed, settled));
    diagnostics
}

/// Entries about types that Erlang has no name for, and that do not come to be.
fn missing(
    modules: &[Module],
    resolved: &[&Resolved],
    settled: &Matched<'_>,
) -> Vec<OverrideDiagnostic> {
    let mut diagnostics = Vec::new();
    for ((module, name), index) in &settled.items {
        let entry = &settled.overrides.types[*index];
        let items = modules.iter().find(|one| one.name == *module);
        let items = items.map_or(&[][..], |one| &one.items);
        let source = resolved.iter().find(|one| one.name == *module);
        if entry.skip || items.iter().any(|item| item.name == *name) {
            continue;
        }
        let unnamed = items.iter().filter(|item| item.anonymous);
        let unnamed: Vec<String> = unnamed.map(|item| item.name.clone()).collect();
        let id = OverrideId::Type(*index);
        diagnostics.extend(source.map(|source| no_such_type(id, &entry.target, source, &unnamed)));
    }
    diagnostics
}

/// Adds a derive to every struct and enum that can have it.
fn everywhere(derive: &str, modules: &mut [Module], settled: &Matched<'_>) {
    let says = |listed: fn(&TypeOverride) -> &[String]| -> Items {
        let says = |index: &usize| {
            let listed = listed(&settled.overrides.types[*index]);
            listed.iter().any(|one| one == derive)
        };
        let items = settled.items.iter().filter(|(_, index)| says(index));
        items.map(|(key, _)| key.clone()).collect()
    };
    let refuse = says(|entry| &entry.no_derives);
    let without = match Own::named(derive) {
        Some(own) => lacking(modules, own, &refuse, &says(|entry| &entry.derives)),
        None => refuse,
    };
    for module in modules {
        for item in &mut module.items {
            if !without.contains(&(module.name.clone(), item.name.clone())) {
                add(item, derive);
            }
        }
    }
}

fn add(item: &mut Item, derive: &str) {
    let is_alias = matches!(item.kind, Kind::Alias(_) | Kind::Reexport(_));
    if !is_alias && !item.derives.iter().any(|known| known == derive) {
        item.derives.push(derive.to_owned());
    }
}

fn of_item(
    item: &mut Item,
    id: OverrideId,
    entry: &TypeOverride,
    settled: &Matched<'_>,
    diagnostics: &mut Vec<OverrideDiagnostic>,
) {
    diagnostics.extend(idle_derives(item, id, entry, &settled.overrides.derives));
    if matches!(item.kind, Kind::Map { .. }) {
        for (old, _) in entry.fields.iter().filter(|(_, new)| *new == "new") {
            let diagnostic =
                OverrideDiagnostic::new(id, "`new` is the function that makes such a map");
            diagnostics.push(diagnostic.at("fields").inside(old));
        }
    }
    let names = variants(&mut item.kind);
    diagnostics.extend(inner(id, "variants", "variant", &entry.variants, names));
    let names = fields(&mut item.kind);
    diagnostics.extend(inner(id, "fields", "field", &entry.fields, names));
}

/// Derives that an entry says for nothing.
fn idle_derives(
    item: &Item,
    id: OverrideId,
    entry: &TypeOverride,
    all: &[String],
) -> Vec<OverrideDiagnostic> {
    let mut diagnostics = Vec::new();
    if let (Kind::Alias(_), None) = (&item.kind, &entry.rust) {
        let lists = [
            ("derives", &entry.derives),
            ("no_derives", &entry.no_derives),
        ];
        for (key, _) in lists.into_iter().filter(|(_, said)| !said.is_empty()) {
            let message = "it is another name for a type, which derives nothing itself";
            diagnostics.push(OverrideDiagnostic::new(id, message).at(key));
        }
    }
    for derive in entry.no_derives.iter().filter(|one| !all.contains(one)) {
        let message = format!("`{derive}` is not among the derives of all types");
        let diagnostic = OverrideDiagnostic::new(id, message)
            .at("no_derives")
            .inside(derive);
        diagnostics.push(diagnostic.instead_of(derive, all.to_vec()));
    }
    diagnostics
}

fn variants(kind: &mut Kind) -> Vec<&mut String> {
    match kind {
        Kind::Enum(variants) => variants.iter_mut().map(|one| &mut one.name).collect(),
        _ => Vec::new(),
    }
}

fn fields(kind: &mut Kind) -> Vec<&mut String> {
    match kind {
        Kind::Record { fields, .. } => fields.iter_mut().map(|one| &mut one.name).collect(),
        Kind::Map { fields, rest } => {
            let rest = rest.iter_mut().map(|rest| &mut rest.name);
            let fields = fields.iter_mut().map(|one| &mut one.name);
            fields.chain(rest).collect()
        }
        _ => Vec::new(),
    }
}

/// Renames variants or fields.
fn inner(
    id: OverrideId,
    key: &'static str,
    kind: &str,
    wanted: &BTreeMap<String, String>,
    mut names: Vec<&mut String>,
) -> Vec<OverrideDiagnostic> {
    let plain = |name: &str| name.strip_prefix("r#").unwrap_or(name).to_owned();
    let before: Vec<String> = names.iter().map(|name| plain(name)).collect();
    let mut diagnostics = Vec::new();
    for (old, new) in wanted {
        let Some(place) = before.iter().position(|name| *name == plain(old)) else {
            let message = format!("it has no {kind} `{old}`");
            let diagnostic = OverrideDiagnostic::new(id, message).at(key).inside(old);
            diagnostics.push(diagnostic.instead_of(old, before.clone()));
            continue;
        };
        names[place].clone_from(new);
    }
    for (old, new) in wanted {
        if names.iter().filter(|name| **name == new).count() > 1 {
            let message = format!("another {kind} is called `{new}`");
            diagnostics.push(OverrideDiagnostic::new(id, message).at(key).inside(old));
        }
    }
    diagnostics
}

/// Renames a module's functions.
fn functions(
    module: &mut Module,
    settled: &Matched<'_>,
    diagnostics: &mut Vec<OverrideDiagnostic>,
) {
    let mut renamed: Vec<(String, usize)> = Vec::new();
    for function in &mut module.functions {
        let key = (
            module.name.clone(),
            function.function.clone(),
            function.arity,
        );
        let Some(index) = settled.functions.get(&key) else {
            continue;
        };
        if let Some(name) = &settled.overrides.functions[*index].rename {
            function.name = full_name(name, function);
            renamed.push((function.name.clone(), *index));
        }
    }
    for (name, index) in renamed {
        let same = |function: &&Function| function.name == name;
        if module.functions.iter().filter(same).count() > 1 {
            let id = OverrideId::Function(index);
            let message = format!("another function of `{}` is called `{name}`", module.name);
            diagnostics.push(OverrideDiagnostic::new(id, message).at("rename"));
        }
    }
}

/// The name that was asked for, with what tells an overload from the others.
fn full_name(name: &str, function: &Function) -> String {
    match &function.label {
        None => name.to_owned(),
        Some(label) => snake(&format!("{name}_{label}").replace("r#", "")),
    }
}

fn rename(modules: &mut [Module], renamed: &Renamed) {
    if renamed.is_empty() {
        return;
    }
    for module in modules.iter_mut() {
        for item in &mut module.items {
            let key = (module.name.clone(), item.name.clone());
            if let Some(name) = renamed.get(&key) {
                item.name.clone_from(name);
            }
        }
        if let Some(behaviour) = &mut module.behaviour {
            for name in &mut behaviour.prelude.names {
                if let Some(new) = renamed.get(&(module.name.clone(), name.clone())) {
                    name.clone_from(new);
                }
            }
        }
        for_each_type(module, &mut |ty| *ty = with_names(ty, renamed));
    }
}

fn with_names(ty: &RustType, renamed: &Renamed) -> RustType {
    let mut ty = ty.map_children(&mut |child| with_names(child, renamed));
    if let RustType::Item { module, name, .. } = &mut ty
        && let Some(new) = renamed.get(&(module.clone(), name.clone()))
    {
        name.clone_from(new);
    }
    ty
}

/// New names that something else in the module has.
fn collisions(
    modules: &[Module],
    renamed: &Renamed,
    settled: &Matched<'_>,
) -> Vec<OverrideDiagnostic> {
    let mut diagnostics = Vec::new();
    for ((module, old), new) in renamed {
        let found = modules.iter().find(|one| one.name == *module);
        let taken = found.is_some_and(|found| {
            let items = found.items.iter().filter(|item| item.name == *new).count();
            let others: BTreeSet<String> = found.names_beside_items();
            items > 1 || others.contains(new)
        });
        let index = settled.items.get(&(module.clone(), old.clone()));
        if let Some(index) = index.filter(|_| taken) {
            let message = format!("something else in `{module}` is called `{new}`");
            let diagnostic =
                OverrideDiagnostic::new(OverrideId::Type(*index), message).at("rename");
            diagnostics.push(diagnostic.hint("choose another name, or rename the other one too"));
        }
    }
    diagnostics
}
