//! Which types contain themselves.
//!
//! A reference that closes a cycle by value is boxed. A type that would only be another name for
//! one that contains it becomes a type of its own, because Rust's aliases cannot recur.

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::components;
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
    pub(crate) fn record(name: &TypeName) -> Node {
        Node::Record(name.module.clone(), name.name.clone())
    }
}

/// Which types contain themselves.
pub(crate) struct Recursion {
    /// Nodes that reach each other by value have one number.
    by_value: BTreeMap<Node, usize>,
    cyclic: BTreeSet<Node>,
}

impl Recursion {
    /// Looks at every type and record of the run.
    pub(crate) fn new(world: &World<'_>) -> Self {
        let mut graph = Graph::default();
        for module in &world.modules {
            for definition in &module.types {
                let node = graph.node(Node::Type(type_name(module, definition)));
                graph.edges(&definition.body, true, DEPTH, node);
            }
            for record in &module.records {
                let node = Node::Record(module.name.clone(), record.name.clone());
                let node = graph.node(node);
                for field in &record.fields {
                    graph.edges(&field.ty, true, DEPTH, node);
                }
            }
        }
        let by_value = components(&graph.by_value);
        let all = components(&graph.all);
        let mut sizes = vec![0_usize; all.len()];
        all.iter().for_each(|one| sizes[*one] += 1);
        let is_cyclic = |node: usize| sizes[all[node]] > 1 || graph.all[node].contains(&node);
        let cyclic = graph.nodes.iter().filter(|(_, node)| is_cyclic(**node));
        Recursion {
            cyclic: cyclic.map(|(node, _)| node.clone()).collect(),
            by_value: graph
                .nodes
                .iter()
                .map(|(node, index)| (node.clone(), by_value[*index]))
                .collect(),
        }
    }

    /// Whether a value of `inner` that is part of `outer`, by value, must be boxed: `inner` has a
    /// part that is an `outer`.
    pub(crate) fn boxed(&self, outer: &Node, inner: &Node) -> bool {
        let component = self.by_value.get(inner);
        component.is_some() && component == self.by_value.get(outer)
    }

    /// Whether `node` contains itself, by value or through lists and maps.
    pub(crate) fn cyclic(&self, node: &Node) -> bool {
        self.cyclic.contains(node)
    }
}

/// Which types and records have which as parts.
#[derive(Default)]
struct Graph {
    nodes: BTreeMap<Node, usize>,
    /// The parts that each has by value.
    by_value: Vec<Vec<usize>>,
    /// All parts of each.
    all: Vec<Vec<usize>>,
}

impl Graph {
    fn node(&mut self, node: Node) -> usize {
        let next = self.nodes.len();
        let index = *self.nodes.entry(node).or_insert(next);
        if index == next {
            self.by_value.push(Vec::new());
            self.all.push(Vec::new());
        }
        index
    }

    fn edges(&mut self, ty: &Type, value: bool, depth: usize, from: usize) {
        let Some(depth) = depth.checked_sub(1) else {
            return;
        };
        let target = match ty {
            Type::Named(name, _) => Some(Node::Type((**name).clone())),
            Type::Record(name, _) => Some(Node::record(name)),
            _ => None,
        };
        if let Some(target) = target {
            let target = self.node(target);
            self.all[from].push(target);
            if value {
                self.by_value[from].push(target);
            }
        }
        match ty {
            // Neither the elements of lists nor what a fun takes and gives is held by value.
            Type::Fun(..) | Type::MaybeImproperList(..) | Type::NonemptyImproperList(..) => {
                for part in all_parts(ty) {
                    self.edges(part, false, depth, from);
                }
            }
            _ => {
                for (part, part_by_value) in parts(ty) {
                    self.edges(part, value && part_by_value, depth, from);
                }
            }
        }
    }
}
