//! Results of callbacks: what the return enum holds, and where the state stands in each clause.
//!
//! A callback that makes the state returns it there. Every other callback leaves the state where it
//! is: in Rust the clause is without it, and its term has the process's state there.

use otp_specs::types::Type;

use super::members::normal;
use super::position::Position;
use super::union::variants;
use super::{Context, lower};
use crate::facts::rewrite::members;
use crate::facts::{DEPTH, annotation, bare, parts};
use crate::ir::{ClauseTerm, Element, ReturnClause, Returns, RustType, Variant, VariantShape};
use crate::names::camel;
use crate::text;

/// What a callback with this result may return; `name` is that of the callback's types,
/// `makes` tells whether it makes the state.
pub(super) fn returns(cx: &mut Context<'_>, name: &str, result: &Type, makes: bool) -> Returns {
    let mut position = Position::top(name);
    if matches!(bare(result), Type::None)
        || (cx.facts.world.is_term(result) && !cx.roles.is_state(result))
    {
        return Returns::AnyTerm;
    }
    let Some(members) = members(cx.facts.world, result) else {
        position.in_clause = true;
        let ty = lower(cx, result, &position);
        let own = cx.roles.state_name();
        return match ty {
            RustType::Parameter(_) => {
                clauses(cx, name, std::slice::from_ref(result), &position, makes)
            }
            ty => Returns::Type(without_state(&ty, &own)),
        };
    };
    position.in_clause = true;
    let members = normal(cx.facts.world, &members);
    clauses(cx, name, &members, &position, makes)
}

/// One clause for each member; those that are the same without the state are one.
fn clauses(
    cx: &mut Context<'_>,
    name: &str,
    members: &[Type],
    position: &Position<'_>,
    makes: bool,
) -> Returns {
    let own = cx.roles.state_name();
    let mut clauses: Vec<ReturnClause> = Vec::new();
    for variant in variants(cx, members, position) {
        let clause = clause(variant, &own, makes);
        if !clauses.iter().any(|known| same(known, &clause)) {
            clauses.push(clause);
        }
    }
    let plain = camel(name);
    let plain = if cx.is_taken(&plain) {
        format!("{plain}Result")
    } else {
        plain
    };
    Returns::Clauses {
        name: cx.claim(&plain),
        clauses,
    }
}

/// What the form calls the state in `result`, if it is there.
pub(super) fn word_for_state(cx: &Context<'_>, result: &Type) -> Option<String> {
    let whole = || vec![result.clone()];
    let members = members(cx.facts.world, result).unwrap_or_else(whole);
    let mut words = members.iter().map(|ty| state_within(cx, ty, DEPTH));
    words.find_map(|word| word)
}

fn state_within(cx: &Context<'_>, ty: &Type, depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    if cx.roles.is_state(ty) {
        let name = annotation(ty).map(str::to_owned);
        return Some(name.unwrap_or_else(|| text::erlang(ty)));
    }
    let mut within = parts(ty).into_iter();
    within.find_map(|(part, _)| state_within(cx, part, depth))
}

/// Whether the reply occurs in `result`.
pub(super) fn has_reply(cx: &Context<'_>, result: &Type) -> bool {
    occurs(cx, result, DEPTH)
}

fn occurs(cx: &Context<'_>, ty: &Type, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    cx.roles.is_reply(ty) || parts(ty).iter().any(|(part, _)| occurs(cx, part, depth))
}

/// Whether the type parameter `name` occurs in any clause.
pub(super) fn mentions(returns: &Returns, name: &str) -> bool {
    match returns {
        Returns::AnyTerm => false,
        Returns::Type(ty) => ty.mentions(name),
        Returns::Clauses { clauses, .. } => {
            clauses.iter().any(|clause| clause_mentions(clause, name))
        }
    }
}

/// Whether the type parameter `name` occurs in the clause.
pub(super) fn clause_mentions(clause: &ReturnClause, name: &str) -> bool {
    let types = clause.variant.shape.types();
    types.into_iter().any(|ty| ty.mentions(name))
}

/// The clause whose shape in Erlang is that of `variant`. `own` is the type parameter of the state,
/// `makes` whether the callback makes it.
fn clause(variant: Variant, own: &str, makes: bool) -> ReturnClause {
    let mut states = States {
        own,
        makes,
        seen: false,
    };
    let (shape, term) = states.shape(variant.shape);
    ReturnClause {
        variant: Variant { shape, ..variant },
        term,
    }
}

/// Whether two clauses are the same in Rust: of one tag, with values of the same types.
fn same(one: &ReturnClause, other: &ReturnClause) -> bool {
    let (one, other) = (&one.variant.shape, &other.variant.shape);
    let alike = match (one, other) {
        (VariantShape::Unit(one), VariantShape::Unit(other)) => one == other,
        (VariantShape::Tagged(one, _), VariantShape::Tagged(other, _)) => one == other,
        (VariantShape::Tuple(_), VariantShape::Tuple(_))
        | (VariantShape::Untagged(_), VariantShape::Untagged(_)) => true,
        _ => false,
    };
    alike && one.types() == other.types()
}

/// `ty` with any term for the state.
fn without_state(ty: &RustType, own: &str) -> RustType {
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
    fn shape(&mut self, shape: VariantShape) -> (VariantShape, ClauseTerm) {
        match shape {
            VariantShape::Unit(atom) => (VariantShape::Unit(atom.clone()), ClauseTerm::Atom(atom)),
            VariantShape::Tagged(tag, elements) => {
                let (left, mut terms) = self.elements(&elements);
                terms.insert(0, ClauseTerm::Atom(tag.clone()));
                let shape = if left.is_empty() && !elements.is_empty() {
                    VariantShape::Unit(tag)
                } else {
                    VariantShape::Tagged(tag, left)
                };
                (shape, ClauseTerm::Tuple(terms))
            }
            VariantShape::Tuple(elements) => {
                let (left, terms) = self.elements(&elements);
                (VariantShape::Tuple(left), ClauseTerm::Tuple(terms))
            }
            VariantShape::Untagged(ty) => match self.part(&ty, vec![0]) {
                (Some(ty), term) => (VariantShape::Untagged(ty), term),
                (None, term) => (VariantShape::Tuple(Vec::new()), term),
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
            let field = None;
            left.extend(ty.map(|ty| Element { name, field, ty }));
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
