//! The shape of a term

use super::Shape;
use crate::term::{TermKind, View};

impl Shape {
    /// Whether the term may be one of these. It is not, if this says so. Values of maps are not
    /// looked at.
    pub(crate) fn may_be<'a, V: View<'a>>(&self, term: V) -> bool {
        match self {
            Shape::Any => true,
            Shape::Some(all) => all.may_be(term),
            Shape::Union(members) => members.iter().any(|member| member.may_be(term)),
            Shape::Atom(name) => term.atom().is_some_and(|atom| atom.text() == *name),
            Shape::Atoms => term.kind() == TermKind::Atom,
            Shape::Integers(low, high) => {
                term.kind() == TermKind::Integer
                    && term.integer().is_none_or(|it| {
                        let it = i128::from(it);
                        low.is_none_or(|low| low <= it) && high.is_none_or(|high| it <= high)
                    })
            }
            Shape::Floats => term.kind() == TermKind::Float,
            Shape::Binaries => term.binary().is_some(),
            Shape::Bitstrings => term.kind() == TermKind::Bitstring,
            Shape::EmptyList => term.is_empty_list(),
            Shape::NonemptyLists => term.kind() == TermKind::List && !term.is_empty_list(),
            Shape::Tuples(arity) => term.tuple_arity() == Some(*arity),
            Shape::AllTuples => term.kind() == TermKind::Tuple,
            Shape::Elements(shapes) => term.tuple_elements().is_some_and(|elements| {
                let mut pairs = shapes.iter().zip(elements);
                term.tuple_arity() == Some(shapes.len())
                    && pairs.all(|(shape, element)| shape.may_be(element))
            }),
            Shape::EmptyMap => term.map_size() == Some(0),
            Shape::Maps | Shape::Keys { .. } => term.kind() == TermKind::Map,
            Shape::Pids => term.kind() == TermKind::Pid,
            Shape::Ports => term.kind() == TermKind::Port,
            Shape::References => term.kind() == TermKind::Reference,
            Shape::Funs => term.kind() == TermKind::Fun,
        }
    }
}
