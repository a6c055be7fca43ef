//! Types that are only themselves: `-type a() :: b(). -type b() :: a().`

use std::collections::BTreeMap;

use super::Resolver;
use crate::ast::Name;
use crate::catalog;
use crate::types::{Type, TypeDef};

/// The definitions, with those that no constructor separates from themselves made invalid.
///
/// `-type list() :: [] | {any(), list()}` is recursive and fine: a tuple separates them.
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
    // Definitions stand in the order of their forms.
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

/// The types of this module that a type is, or is one alternative of.
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

/// The nodes that lie on a cycle, in order: Tarjan's strongly connected components. It does not
/// recurse, since a chain of definitions may be as long as the file.
fn on_cycles(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut search = Search {
        numbers: vec![None; edges.len()],
        lowest: vec![0; edges.len()],
        open: Vec::new(),
        is_open: vec![false; edges.len()],
        next: 0,
        cycles: Vec::new(),
    };
    for start in 0..edges.len() {
        if search.numbers[start].is_none() {
            search.from(start, edges);
        }
    }
    search.cycles.sort_unstable();
    search.cycles
}

struct Search {
    /// The order in which nodes were met.
    numbers: Vec<Option<usize>>,
    /// The first node that each can reach among the open ones.
    lowest: Vec<usize>,
    open: Vec<usize>,
    is_open: Vec<bool>,
    next: usize,
    cycles: Vec<usize>,
}

impl Search {
    fn from(&mut self, start: usize, edges: &[Vec<usize>]) {
        let mut path = vec![(start, 0)];
        self.enter(start);
        while let Some((node, position)) = path.last_mut() {
            let node = *node;
            let Some(&target) = edges[node].get(*position) else {
                path.pop();
                if let Some((parent, _)) = path.last() {
                    self.lowest[*parent] = self.lowest[*parent].min(self.lowest[node]);
                }
                self.leave(node, edges);
                continue;
            };
            *position += 1;
            match self.numbers[target] {
                None => {
                    self.enter(target);
                    path.push((target, 0));
                }
                Some(number) if self.is_open[target] => {
                    self.lowest[node] = self.lowest[node].min(number);
                }
                Some(_) => {}
            }
        }
    }

    fn enter(&mut self, node: usize) {
        self.numbers[node] = Some(self.next);
        self.lowest[node] = self.next;
        self.next += 1;
        self.open.push(node);
        self.is_open[node] = true;
    }

    /// Closes a component once its first node is left.
    fn leave(&mut self, node: usize, edges: &[Vec<usize>]) {
        if self.numbers[node] != Some(self.lowest[node]) {
            return;
        }
        let first = self
            .open
            .iter()
            .rposition(|open| *open == node)
            .unwrap_or_default();
        let component = self.open.split_off(first);
        component
            .iter()
            .for_each(|member| self.is_open[*member] = false);
        if component.len() > 1 || edges[node].contains(&node) {
            self.cycles.extend(component);
        }
    }
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
