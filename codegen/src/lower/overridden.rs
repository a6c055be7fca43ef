//! Applies overrides to a module's items: names of variants and fields, and derives.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use otp_specs::types::{Function, Module as Resolved, Type, TypeName};

use super::drafts::Draft;
use super::named::by_user;
use super::position::Position;
use super::{Context, Facts};
use crate::catalog;
use crate::facts::rewrite::members;
use crate::facts::{DEPTH, bare, occurs};
use crate::ir::{Derives, Item, ItemKind, Module, RustType};
use crate::options::{OverrideId, Target, TypeOverride, name_part};
use crate::overrides::{Matched, Replacement};
use crate::report::{Fallback, OverrideDiagnostic, Reason};

impl Facts<'_> {
    /// Returns whether the Rust type of `ty` accepts any term.
    pub(super) fn is_term(&self, ty: &Type) -> bool {
        self.overrides.is_term(self.world, ty)
    }

    /// Returns the members of a callback's result, through names that no override maps to another
    /// Rust type.
    pub(super) fn members(&self, result: &Type) -> Option<Vec<Type>> {
        members(self.world, result, &|name| self.overrides.is_replaced(name))
    }
}

impl Context<'_> {
    /// Returns the replacement that an override gives for a record, or for a type without an Erlang
    /// name.
    pub(super) fn replaced(
        &mut self,
        plain: &str,
        erlang: &str,
        position: &Position<'_>,
    ) -> Option<RustType> {
        let overrides = self.facts.overrides;
        let ty = match overrides.replacement(&self.module.name, plain)? {
            Replacement::Rust(path) => by_user(path),
            Replacement::Term => {
                self.report.fallbacks.push(Fallback {
                    position: position.path.join("."),
                    erlang: erlang.to_owned(),
                    reason: Reason::Skipped,
                });
                RustType::TERM
            }
        };
        self.replaced.insert(plain.to_owned());
        Some(ty)
    }
}

/// Turns `drafts` into items, and returns the problems of this module's overrides. `replaced` types
/// were replaced by others.
pub(super) fn items(
    facts: &Facts<'_>,
    module: &Resolved,
    drafts: Vec<Draft>,
    replaced: &BTreeSet<String>,
) -> (Vec<Item>, Vec<OverrideDiagnostic>) {
    let overrides = facts.overrides;
    let mut diagnostics = missing(facts, module, &drafts, replaced);
    let finish = |draft: Draft| {
        let name = overrides.name(&module.name, &draft.plain).to_owned();
        let matched = overrides.of_type(&module.name, &draft.plain);
        let (kind, derives) = match matched {
            Some((id, of_type)) => {
                let idle = idle_derives(&draft.kind, *id, of_type, &overrides.derives);
                diagnostics.extend(idle);
                (
                    renamed(draft.kind, *id, of_type, &mut diagnostics),
                    Derives {
                        added: of_type.derives.clone(),
                        refused: of_type.no_derives.clone(),
                    },
                )
            }
            None => (draft.kind, Derives::default()),
        };
        Item {
            name,
            erlang: draft.erlang,
            parameters: draft.parameters,
            defaults: draft.defaults,
            anonymous: draft.anonymous,
            kind,
            derives,
        }
    };
    let items = drafts.into_iter().map(finish).collect();
    (items, diagnostics)
}

/// Reports overrides of types that do not exist in this run.
fn missing(
    facts: &Facts<'_>,
    module: &Resolved,
    drafts: &[Draft],
    replaced: &BTreeSet<String>,
) -> Vec<OverrideDiagnostic> {
    let mut there: BTreeSet<&str> = replaced.iter().map(String::as_str).collect();
    there.extend(drafts.iter().map(|draft| draft.plain.as_str()));
    let is_there = |plain: Option<&str>| plain.is_some_and(|plain| there.contains(plain));
    let types = module.types.iter().filter(|ty| {
        is_there(facts.names.of_type(&TypeName {
            module: module.name.clone(),
            name: ty.name.clone(),
            arity: ty.params.len(),
        }))
    });
    let records = module.records.iter();
    let records =
        records.filter(|record| is_there(facts.names.of_record(&module.name, &record.name)));
    let unnamed = drafts.iter().filter(|draft| draft.anonymous);
    let mut known: BTreeSet<String> = types.map(|ty| name_part(&ty.name)).collect();
    known.extend(records.map(|record| format!("#{}", name_part(&record.name))));
    known.extend(unnamed.map(|draft| draft.plain.clone()));
    let of_types = facts.overrides.of_types(&module.name);
    let missing = of_types.filter(|(plain, _)| !there.contains(plain));
    missing
        .map(|(_, (id, of_type))| no_such_type(*id, &of_type.target, module, &known))
        .collect()
}

/// Reports that no item has this name. `known` are the names that an override may have.
fn no_such_type(
    id: OverrideId,
    target: &Target,
    module: &Resolved,
    known: &BTreeSet<String>,
) -> OverrideDiagnostic {
    let shown = target.shown_name();
    let arguments: [&dyn Display; 2] = [&target.module, &shown];
    let diagnostic = OverrideDiagnostic::new(&catalog::NO_TYPE, id, &arguments);
    let record = target.name.strip_prefix('#').unwrap_or(&target.name);
    let is_idle = |record: &str| !known.contains(&format!("#{}", name_part(record)));
    if module.records.iter().any(|one| one.name == record) && is_idle(record) {
        return diagnostic.hint("no type refers to this record: leave the override out");
    }
    diagnostic.instead_of(&name_part(&target.name), known.iter().cloned())
}

/// Reports override keys that have no effect on derives.
fn idle_derives(
    kind: &ItemKind,
    id: OverrideId,
    of_type: &TypeOverride,
    all: &[String],
) -> Vec<OverrideDiagnostic> {
    if of_type.rust.is_some() {
        return Vec::new();
    }
    if let ItemKind::Alias(_) = kind {
        let lists = [
            ("derives", &of_type.derives),
            ("no_derives", &of_type.no_derives),
        ];
        let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
        let idle = |(key, _)| OverrideDiagnostic::new(&catalog::OF_ALIAS, id, &[]).at(key);
        return lists.map(idle).collect();
    }
    let mut diagnostics = Vec::new();
    for derive in of_type.no_derives.iter().filter(|one| !all.contains(one)) {
        let diagnostic = OverrideDiagnostic::new(&catalog::NOT_REFUSABLE, id, &[derive]);
        let diagnostic = diagnostic.at("no_derives").inside(derive);
        diagnostics.push(diagnostic.instead_of(derive, all.to_vec()));
    }
    diagnostics
}

/// Returns `kind` with the names of variants and fields from the override.
fn renamed(
    kind: ItemKind,
    id: OverrideId,
    of_type: &TypeOverride,
    diagnostics: &mut Vec<OverrideDiagnostic>,
) -> ItemKind {
    if of_type.rust.is_some() {
        // Names for the parts of such a type are a separate mistake.
        return kind;
    }
    if matches!(kind, ItemKind::Map { .. }) {
        for (old, _) in of_type.fields.iter().filter(|(_, new)| *new == "new") {
            let diagnostic = OverrideDiagnostic::new(&catalog::FIELD_NEW, id, &[]);
            diagnostics.push(diagnostic.at("fields").inside(old));
        }
    }
    let variants = Renaming::new(id, "variants", "variant", &of_type.variants);
    let fields = Renaming::new(id, "fields", "field", &of_type.fields);
    let (variant_names, field_names) = names(&kind);
    diagnostics.extend(variants.wrong(&variant_names));
    diagnostics.extend(fields.wrong(&field_names));
    kind.with_names(&|name| variants.name(name), &|name| fields.name(name))
}

/// Returns the names of variants, and those of fields.
fn names(kind: &ItemKind) -> (Vec<&str>, Vec<&str>) {
    match kind {
        ItemKind::Enum(variants) => {
            let names = variants.iter().map(|variant| variant.name.as_str());
            (names.collect(), Vec::new())
        }
        ItemKind::Record { fields, .. } => {
            let names = fields.iter().map(|field| field.name.as_str());
            (Vec::new(), names.collect())
        }
        ItemKind::Map { fields, rest } => {
            let rest = rest.iter().map(|rest| rest.name.as_str());
            let names = fields.iter().map(|field| field.name.as_str());
            (Vec::new(), names.chain(rest).collect())
        }
        ItemKind::Tuple { elements, .. } => {
            let names = elements.iter().flat_map(|element| element.field.as_deref());
            (Vec::new(), names.collect())
        }
        _ => (Vec::new(), Vec::new()),
    }
}

/// New names of variants or fields by old ones.
struct Renaming<'o> {
    id: OverrideId,
    key: &'static str,
    kind: &'static str,
    names: &'o BTreeMap<String, String>,
}

impl<'o> Renaming<'o> {
    fn new(
        id: OverrideId,
        key: &'static str,
        kind: &'static str,
        names: &'o BTreeMap<String, String>,
    ) -> Self {
        Renaming {
            id,
            key,
            kind,
            names,
        }
    }

    /// Returns the new name of `old`.
    fn name(&self, old: &str) -> String {
        let mut names = self.names.iter();
        let found = names.rfind(|(name, _)| without_raw(name) == without_raw(old));
        found.map_or(old, |(_, new)| new).to_owned()
    }

    /// Reports new names for variants or fields that do not exist, and new names that two of them
    /// would share.
    fn wrong(&self, before: &[&str]) -> Vec<OverrideDiagnostic> {
        let after: Vec<String> = before.iter().map(|name| self.name(name)).collect();
        let known = || before.iter().map(|name| without_raw(name).to_owned());
        let mut diagnostics = Vec::new();
        for (old, new) in self.names {
            let wrong = |message, name: &String| {
                let diagnostic = OverrideDiagnostic::new(message, self.id, &[&self.kind, name]);
                diagnostic.at(self.key).inside(old)
            };
            if !known().any(|name| name == without_raw(old)) {
                let wrong = wrong(&catalog::NOT_INSIDE, old).instead_of(old, known());
                diagnostics.push(if before.is_empty() {
                    wrong.hint(format!("none of it has a name: leave `{}` out", self.key))
                } else {
                    wrong
                });
            }
            if after.iter().filter(|name| *name == new).count() > 1 {
                diagnostics.push(wrong(&catalog::TAKEN_INSIDE, new));
            }
        }
        diagnostics
    }
}

/// Returns a field's name without the `r#` that turns a keyword into a name.
fn without_raw(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

/// Reports new names of types that another item of the module has. `plain` are the existing types'
/// names without overrides.
pub(super) fn collisions(
    overrides: &Matched,
    module: &Module,
    plain: &BTreeSet<String>,
) -> Vec<OverrideDiagnostic> {
    let others = module.names_beside_items();
    let of_types = overrides.of_types(&module.name);
    let of_types = of_types.filter(|(name, _)| plain.contains(*name));
    let collision = |(_, (id, of_type)): (&str, &(OverrideId, TypeOverride))| {
        let new = of_type.rename.as_ref()?;
        let same = module.items.iter().filter(|item| item.name == *new);
        let is_taken = same.count() > 1 || others.contains(new);
        is_taken.then(|| {
            let arguments: [&dyn Display; 2] = [&module.name, new];
            OverrideDiagnostic::new(&catalog::TAKEN_TYPE, *id, &arguments).at("rename")
        })
    };
    of_types.filter_map(collision).collect()
}

/// Refuses overrides that would hide the state in `result` behind a type without clauses.
pub(super) fn refuse_hidden_state(cx: &mut Context<'_>, function: &Function, result: &Type) {
    let mut hiding = BTreeSet::new();
    let mut open = cx
        .facts
        .members(result)
        .unwrap_or_else(|| vec![result.clone()]);
    while let Some(ty) = open.pop() {
        match bare(&ty) {
            Type::Named(name, arguments) => {
                let is_state = |ty: &Type| cx.roles.is_state(ty);
                let mut arguments = arguments.iter();
                if arguments.any(|argument| occurs(argument, &is_state, DEPTH)) {
                    hiding.extend(cx.facts.overrides.replacing(cx.facts.names, name));
                }
            }
            Type::Tuple(elements) => open.extend(elements.iter().cloned()),
            _ => {}
        }
    }
    let callback = format!("{}/{}", function.name, function.arity);
    for (id, key) in hiding {
        let message = &catalog::HOLDS_STATE;
        let diagnostic = OverrideDiagnostic::new(message, id, &[&callback]).at(key);
        if !cx.override_diagnostics.iter().any(|one| one.id == id) {
            cx.override_diagnostics.push(diagnostic);
        }
    }
}
