//! Which types contain themselves.
//!
//! A reference that closes a cycle by value is boxed. A type that would only be another name for
//! one that contains it becomes a type of its own, because Rust's aliases cannot recur.

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::{Type, TypeName};

use super::references::all_parts;
use super::world::{World, type_name};
use super::{DEPTH, parts};

/// A type definition or a record declaration.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Node {
    /// `-type`, `-opaque` or `-nominal`.
    Type(TypeName),
    /// `-record`: module and name.
    Record(String, String),
}

impl Node {
    /// The node of a record.
    pub(crate) fn record(name: &TypeName) -> Node {
        Node::Record(name.module.clone(), name.name.clone())
    }
}

type Graph = BTreeMap<Node, BTreeSet<Node>>;

/// Which types contain themselves.
pub(crate) struct Recursion {
    by_value: BTreeMap<Node, BTreeSet<Node>>,
    cyclic: BTreeSet<Node>,
}

impl Recursion {
    /// Looks at every type and record of the run.
    pub(crate) fn new(world: &World<'_>) -> Self {
        let mut direct = Graph::new();
        let mut all = Graph::new();
        for module in &world.modules {
            for definition in &module.types {
                let node = Node::Type(type_name(module, definition));
                edges(&definition.body, true, DEPTH, &node, &mut direct, &mut all);
            }
            for record in &module.records {
                let node = Node::Record(module.name.clone(), record.name.clone());
                for field in &record.fields {
                    edges(&field.ty, true, DEPTH, &node, &mut direct, &mut all);
                }
            }
        }
        let reach = closure(&all);
        let cyclic = reach
            .iter()
            .filter(|(node, seen)| seen.contains(node))
            .map(|(node, _)| node);
        Recursion {
            cyclic: cyclic.cloned().collect(),
            by_value: closure(&direct),
        }
    }

    /// Whether a value of `inner` that is part of `outer` must be boxed.
    pub(crate) fn boxed(&self, outer: &Node, inner: &Node) -> bool {
        self.by_value
            .get(inner)
            .is_some_and(|seen| seen.contains(outer))
    }

    /// Whether `node` contains itself, by value or through lists and maps.
    pub(crate) fn cyclic(&self, node: &Node) -> bool {
        self.cyclic.contains(node)
    }
}

fn edges(ty: &Type, value: bool, depth: usize, from: &Node, direct: &mut Graph, all: &mut Graph) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    let target = match ty {
        Type::Named(name, _) => Some(Node::Type((**name).clone())),
        Type::Record(name, _) => Some(Node::record(name)),
        _ => None,
    };
    if let Some(target) = target {
        all.entry(from.clone()).or_default().insert(target.clone());
        if value {
            direct.entry(from.clone()).or_default().insert(target);
        }
    }
    match ty {
        // Neither the elements of lists nor what a fun takes and gives is held by value.
        Type::Fun(..) | Type::MaybeImproperList(..) | Type::NonemptyImproperList(..) => {
            for part in all_parts(ty) {
                edges(part, false, depth, from, direct, all);
            }
        }
        _ => {
            for (part, part_by_value) in parts(ty) {
                edges(part, value && part_by_value, depth, from, direct, all);
            }
        }
    }
}

/// For every node, those that it reaches.
fn closure(graph: &Graph) -> BTreeMap<Node, BTreeSet<Node>> {
    let mut reach = BTreeMap::new();
    for node in graph.keys() {
        let mut seen = BTreeSet::new();
        let mut open = vec![node];
        while let Some(next) = open.pop() {
            for target in graph.get(next).into_iter().flatten() {
                if seen.insert(target.clone()) {
                    open.push(target);
                }
            }
        }
        reach.insert(node.clone(), seen);
    }
    reach
}
