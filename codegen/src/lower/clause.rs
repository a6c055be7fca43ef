//! Where the state stands in a clause of a callback's result.
//!
//! A callback that makes the state returns it there. Every other callback leaves the state where
//! it is: in Rust the clause is without it, and its term has the process's state there.

use crate::ir::{Clause, ClauseTerm, Element, RustType, Shape, Variant};

/// The clause whose shape in Erlang is that of `variant`. `own` is the type parameter of the state,
/// `makes` whether the callback makes it.
pub(super) fn clause(variant: Variant, own: &str, makes: bool) -> Clause {
    let mut states = States {
        own,
        makes,
        seen: false,
    };
    let (shape, term) = states.shape(variant.shape);
    Clause {
        variant: Variant { shape, ..variant },
        term,
    }
}

/// Whether two clauses are the same in Rust: of one tag, with values of the same types.
pub(super) fn same(one: &Clause, other: &Clause) -> bool {
    let (one, other) = (&one.variant.shape, &other.variant.shape);
    let alike = match (one, other) {
        (Shape::Unit(one), Shape::Unit(other)) => one == other,
        (Shape::Tagged(one, _), Shape::Tagged(other, _)) => one == other,
        (Shape::Tuple(_), Shape::Tuple(_)) | (Shape::Untagged(_), Shape::Untagged(_)) => true,
        _ => false,
    };
    alike && one.types() == other.types()
}

/// `ty` with any term for the state.
pub(super) fn without_state(ty: &RustType, own: &str) -> RustType {
    match ty {
        RustType::Parameter(name) if name == own => RustType::TERM,
        other => other.map_children(&mut |child| without_state(child, own)),
    }
}

/// The states of one clause.
struct States<'o> {
    own: &'o str,
    makes: bool,
    /// Whether there was one already.
    seen: bool,
}

impl States<'_> {
    fn shape(&mut self, shape: Shape) -> (Shape, ClauseTerm) {
        match shape {
            Shape::Unit(atom) => (Shape::Unit(atom.clone()), ClauseTerm::Atom(atom)),
            Shape::Tagged(tag, elements) => {
                let (left, mut terms) = self.elements(&elements);
                terms.insert(0, ClauseTerm::Atom(tag.clone()));
                let shape = if left.is_empty() && !elements.is_empty() {
                    Shape::Unit(tag)
                } else {
                    Shape::Tagged(tag, left)
                };
                (shape, ClauseTerm::Tuple(terms))
            }
            Shape::Tuple(elements) => {
                let (left, terms) = self.elements(&elements);
                (Shape::Tuple(left), ClauseTerm::Tuple(terms))
            }
            Shape::Untagged(ty) => match self.part(&ty, vec![0]) {
                (Some(ty), term) => (Shape::Untagged(ty), term),
                (None, term) => (Shape::Tuple(Vec::new()), term),
            },
        }
    }

    /// The elements that are left in Rust, and the terms of all.
    fn elements(&mut self, elements: &[Element]) -> (Vec<Element>, Vec<ClauseTerm>) {
        let mut left = Vec::new();
        let mut terms = Vec::new();
        for element in elements {
            let (ty, term) = self.part(&element.ty, vec![left.len()]);
            let name = element.name.clone();
            left.extend(ty.map(|ty| Element { name, ty }));
            terms.push(term);
        }
        (left, terms)
    }

    /// The type in Rust, and the term; `place` is where the value is, if it is left. Rust moves a
    /// state that is made, so that only its first mention is one.
    fn part(&mut self, ty: &RustType, place: Vec<usize>) -> (Option<RustType>, ClauseTerm) {
        match ty {
            RustType::Parameter(name) if name == self.own && self.makes && self.seen => {
                (Some(RustType::TERM), ClauseTerm::Value(place))
            }
            RustType::Parameter(name) if name == self.own => {
                self.seen = true;
                (self.makes.then(|| ty.clone()), ClauseTerm::State)
            }
            RustType::Tuple(parts) if ty.mentions(self.own) => {
                let mut left = Vec::new();
                let mut terms = Vec::new();
                for part in parts {
                    let inner = place.iter().copied().chain([left.len()]);
                    let (ty, term) = self.part(part, inner.collect());
                    left.extend(ty);
                    terms.push(term);
                }
                (Some(RustType::Tuple(left)), ClauseTerm::Tuple(terms))
            }
            other => {
                let ty = without_state(other, self.own);
                (Some(ty), ClauseTerm::Value(place))
            }
        }
    }
}
