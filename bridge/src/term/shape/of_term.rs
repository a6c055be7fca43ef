//! Comparing a term with a shape.

use super::{KeyShape, Shape};
use crate::term::{TermKind, View};

impl Shape {
    /// Returns whether the term may be one of these. `false` is certain. Elements of lists and
    /// values of maps are not examined.
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
            Shape::ListsOf(_) => term.kind() == TermKind::List,
            Shape::Tuples(arity) => term.tuple_arity() == Some(*arity),
            Shape::AllTuples => term.kind() == TermKind::Tuple,
            Shape::Elements(shapes) => term.tuple_elements().is_some_and(|elements| {
                let mut pairs = shapes.iter().zip(elements);
                term.tuple_arity() == Some(shapes.len())
                    && pairs.all(|(shape, element)| shape.may_be(element))
            }),
            Shape::EmptyMap => term.map_size() == Some(0),
            Shape::Maps | Shape::MapsOf(..) | Shape::Keys { .. } => term.kind() == TermKind::Map,
            Shape::Pids => term.kind() == TermKind::Pid,
            Shape::Ports => term.kind() == TermKind::Port,
            Shape::References => term.kind() == TermKind::Reference,
            Shape::Funs => term.kind() == TermKind::Fun,
        }
    }

    /// Returns how similar the term is to these: first by its tags, the atoms that all of these
    /// have at the same position, then by the keys of a map.
    pub(crate) fn resemblance<'a, V: View<'a>>(&self, term: V) -> Resemblance {
        match self {
            Shape::Some(all) => all.resemblance(term),
            Shape::Union(members) => {
                let members = members.iter().map(|member| member.resemblance(term));
                members.max().unwrap_or_default()
            }
            Shape::Elements(shapes) if term.tuple_arity() == Some(shapes.len()) => {
                let elements = term.tuple_elements().into_iter().flatten();
                Resemblance::of_tags(shapes.iter().zip(elements.map(Some)))
            }
            Shape::Keys { keys, .. } if term.kind() == TermKind::Map => {
                let value = |key: &KeyShape| {
                    let mut entries = term.map_entries().into_iter().flatten();
                    let is_key = |(name, _): &(V, V)| Shape::Atom(key.key).may_be(*name);
                    entries.find(is_key).map(|(_, value)| value)
                };
                let needed = |key: &&KeyShape| !key.is_optional || value(key).is_some();
                let tags = keys.iter().filter(needed);
                Resemblance {
                    keys: keys.iter().filter(|key| value(key).is_some()).count(),
                    ..Resemblance::of_tags(tags.map(|key| (&key.value, value(key))))
                }
            }
            _ => Resemblance::default(),
        }
    }
}

/// See [`Shape::resemblance`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Resemblance {
    pub(crate) tags: Tags,
    /// The number of the shape's keys that a map has.
    pub(crate) keys: usize,
}

/// Whether a term has the tags of a shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tags {
    Wrong,
    /// The shape has none.
    #[default]
    None,
    Right,
}

impl Resemblance {
    /// Combines the resemblance of parts to the terms at their positions.
    fn of_tags<'a, 's, V: View<'a>>(
        parts: impl Iterator<Item = (&'s Shape, Option<V>)>,
    ) -> Resemblance {
        let is_tag = |(shape, _): &(&Shape, Option<V>)| matches!(shape, Shape::Atom(_));
        let fits = |(shape, term): (&Shape, Option<V>)| term.is_some_and(|it| shape.may_be(it));
        let mut tags = parts.filter(is_tag).map(fits).peekable();
        let tags = match tags.peek().copied() {
            None => Tags::None,
            Some(false) => Tags::Wrong,
            Some(true) if tags.all(|fits| fits) => Tags::Right,
            Some(true) => Tags::Wrong,
        };
        Resemblance { tags, keys: 0 }
    }
}
