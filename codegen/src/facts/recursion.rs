//! Finds types that contain themselves.
//!
//! A reference that closes a cycle by value is boxed. A type that would only be another name for
//! one that contains it becomes a newtype, because Rust's aliases cannot be recursive.

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

/// The types that contain themselves.
pub(crate) struct Recursion {
    /// Component numbers: nodes that reach each other by value have equal numbers.
    by_value: BTreeMap<Node, usize>,
    cyclic: BTreeSet<Node>,
}

impl Recursion {
    /// Examines every type and record of the run.
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

    /// Returns whether a value of `inner` must be boxed where `outer` contains it by value, because
    /// `inner` has a part that is an `outer`.
    pub(crate) fn boxed(&self, outer: &Node, inner: &Node) -> bool {
        let component = self.by_value.get(inner);
        component.is_some() && component == self.by_value.get(outer)
    }

    /// Returns whether `node` contains itself, by value or through lists and maps.
    pub(crate) fn cyclic(&self, node: &Node) -> bool {
        self.cyclic.contains(node)
    }
}

/// The parts of each type and record.
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
            // The elements of lists, and the arguments and results of funs, are not contained by
            // value.
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
