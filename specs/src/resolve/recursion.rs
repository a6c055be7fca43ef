//! Types that are only themselves: `-type a() :: b(). -type b() :: a().`

use std::collections::BTreeMap;

use super::Resolver;
use crate::ast::Name;
use crate::catalog;
use crate::components::components;
use crate::types::{Type, TypeDef};

/// Returns the definitions, and makes those invalid that no constructor separates from themselves.
///
/// `-type list() :: [] | {any(), list()}` is recursive and valid: a tuple separates them.
pub(super) fn without_empty_cycles(
    mut types: Vec<TypeDef>,
    resolver: &mut Resolver<'_>,
) -> Vec<TypeDef> {
    let module = resolver.names.module.clone();
    let indices: BTreeMap<(&str, usize), usize> = types
        .iter()
        .enumerate()
        .map(|(index, definition)| (key(definition), index))
        .collect();
    let edges: Vec<Vec<usize>> = types
        .iter()
        .map(|definition| {
            let references = bare_references(&definition.body, &module);
            references
                .into_iter()
                .filter_map(|name| indices.get(&name).copied())
                .collect()
        })
        .collect();
    // Definitions are in the order of their forms.
    for index in on_cycles(&edges) {
        types[index].body = Type::Invalid;
        if let Some((entry, form)) = resolver.names.types.get(index) {
            let shown = format!("{}/{}", form.name, form.parameters.len());
            let diagnostic = catalog::SELF_REFERENCE.at(entry.form.at, shown);
            resolver.diagnostics.push(diagnostic.in_file(&entry.file));
        }
    }
    types
}

fn key(definition: &TypeDef) -> (&str, usize) {
    (&definition.name, definition.params.len())
}

/// Returns the types of this module that a type is equal to, or has as an alternative.
fn bare_references<'t>(body: &'t Type, module: &Name) -> Vec<(&'t str, usize)> {
    let mut references = Vec::new();
    let mut pending = vec![body];
    while let Some(ty) = pending.pop() {
        match ty {
            Type::Annotated(_, inner) => pending.push(inner),
            Type::Union(members) => pending.extend(members),
            Type::Named(name, _) if name.module == *module => {
                references.push((name.name.as_str(), name.arity));
            }
            _ => {}
        }
    }
    references
}

/// Returns the nodes that are on a cycle, in order.
fn on_cycles(edges: &[Vec<usize>]) -> Vec<usize> {
    let components = components(edges);
    let mut sizes = vec![0_usize; edges.len()];
    components.iter().for_each(|one| sizes[*one] += 1);
    let is_on_cycle = |node: &usize| sizes[components[*node]] > 1 || edges[*node].contains(node);
    (0..edges.len()).filter(is_on_cycle).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_and_what_leads_to_them() {
        // 0 -> 1 <-> 2, 3 -> 3, 4 -> 0, 5
        let edges = [vec![1], vec![2], vec![1], vec![3], vec![0], vec![]];
        assert_eq!(on_cycles(&edges), [1, 2, 3]);
        let chain: Vec<Vec<usize>> = (0..100_000)
            .map(|node| vec![(node + 1) % 100_000])
            .collect();
        assert_eq!(on_cycles(&chain).len(), 100_000);
    }
}
