//! Types that are nothing but themselves: `-type a() :: b(). -type b() :: a().`

use std::collections::{BTreeMap, BTreeSet};

use super::Resolver;
use crate::ast::Name;
use crate::catalog;
use crate::diagnostic::Problem;
use crate::types::{Type, TypeDef};

type Key = (String, usize);

/// The definitions, with those that no constructor separates from themselves made invalid.
///
/// `-type list() :: [] | {any(), list()}` is recursive and fine: a tuple stands between.
pub(super) fn without_empty_circles(
    mut types: Vec<TypeDef>,
    resolver: &mut Resolver<'_>,
) -> Vec<TypeDef> {
    let module = resolver.names.module.clone();
    let edges: BTreeMap<Key, Vec<Key>> = types
        .iter()
        .map(|definition| (key(definition), bare_references(definition, &module)))
        .collect();
    let circular: BTreeSet<Key> = edges
        .keys()
        .filter(|start| reaches_itself(start, &edges))
        .cloned()
        .collect();
    for definition in &mut types {
        if !circular.contains(&key(definition)) {
            continue;
        }
        definition.body = Type::Invalid;
        let declared = resolver.names.types.iter().find(|(_, form)| {
            form.name == definition.name && form.parameters.len() == definition.params.len()
        });
        if let Some((entry, _)) = declared {
            let shown = format!("{}/{}", definition.name, definition.params.len());
            let problem = Problem::new(&catalog::SELF_REFERENCE, entry.form.at, shown);
            resolver.diagnostics.push(problem.in_file(&entry.file));
        }
    }
    types
}

fn key(definition: &TypeDef) -> Key {
    (definition.name.clone(), definition.params.len())
}

/// The types of this module that a definition is, or is one alternative of.
fn bare_references(definition: &TypeDef, module: &Name) -> Vec<Key> {
    let mut references = Vec::new();
    let mut pending = vec![&definition.body];
    while let Some(ty) = pending.pop() {
        match ty {
            Type::Annotated(_, inner) => pending.push(inner),
            Type::Union(members) => pending.extend(members),
            Type::Named(name, _) if name.module == *module => {
                references.push((name.name.clone(), name.arity));
            }
            _ => {}
        }
    }
    references
}

fn reaches_itself(start: &Key, edges: &BTreeMap<Key, Vec<Key>>) -> bool {
    let mut seen = BTreeSet::new();
    let mut pending: Vec<&Key> = edges.get(start).into_iter().flatten().collect();
    while let Some(next) = pending.pop() {
        if next == start {
            return true;
        }
        if seen.insert(next) {
            pending.extend(edges.get(next).into_iter().flatten());
        }
    }
    false
}
