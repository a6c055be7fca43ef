//! Members of a union, and clauses of a callback's result, as variants of an enum; and the position
//! of the state in each clause.
//!
//! A callback that makes the state returns it in that position. Every other callback changes the
//! state in place: its clauses do not contain the state in Rust, and the run time inserts the
//! process's state into the term.

use std::collections::BTreeSet;

use otp_specs::types::Type;

use super::members::{head, in_order, normal, one_for_each_head};
use super::position::Position;
use super::tuple::{elements, split_tag, tuple_kind};
use super::{Context, lower};
use crate::facts::{DEPTH, annotation, bare, occurs, parts};
use crate::ir::{ClauseTerm, Element, ReturnClause, Returns, RustType, Variant, VariantShape};
use crate::names::variants as naming;
use crate::names::{Taken, camel};
use crate::report::Reason;
use crate::text;

/// Returns the type of a callback with this result; `name` is that of the callback's types, `makes`
/// tells whether it makes the state.
pub(super) fn returns(cx: &mut Context<'_>, name: &str, result: &Type, makes: bool) -> Returns {
    let mut position = Position::top(name);
    if matches!(bare(result), Type::None)
        || (cx.facts.is_term(result) && !cx.roles.is_state(result))
    {
        return Returns::AnyTerm;
    }
    let Some(members) = cx.facts.members(result) else {
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

/// Returns one clause for each member. Clauses that are equal without the state become one.
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

/// Returns variants of the members, which come from [`normal`], in the order in which they are
/// tried.
pub(super) fn variants(
    cx: &mut Context<'_>,
    members: &[Type],
    position: &Position<'_>,
) -> Vec<Variant> {
    let (variants, order) = as_written(cx, members, position);
    in_order(variants, &order)
}

/// Returns variants in the order of the members, and the order in which they are tried. A type that
/// an override leaves out accepts any term.
pub(super) fn as_written(
    cx: &mut Context<'_>,
    members: &[Type],
    position: &Position<'_>,
) -> (Vec<Variant>, Vec<usize>) {
    let joined;
    let mut members = members;
    if position.in_clause {
        let (clauses, count) = one_for_each_head(members);
        for _ in 0..count {
            cx.imprecise(
                &Type::Union(members.to_vec()),
                position,
                Reason::JoinedClauses,
            );
        }
        joined = clauses;
        members = &joined;
    }
    let shortest = naming::shortest_of_tag(members);
    let mut taken = Taken::default();
    let mut heads = BTreeSet::new();
    let mut variants = Vec::new();
    for member in members {
        let name = taken.claim_first(&naming::names(member, &shortest));
        let repeated = head(member).is_some_and(|head| !heads.insert(head));
        let shape = shape(cx, member, repeated, &position.inside(&name));
        variants.push(Variant {
            name,
            erlang: member_text(member),
            shape,
        });
    }
    let order = cx.reading_order(members);
    (variants, order)
}

fn shape(
    cx: &mut Context<'_>,
    member: &Type,
    repeated: bool,
    position: &Position<'_>,
) -> VariantShape {
    match bare(member) {
        Type::Atom(atom) => {
            cx.atom(atom);
            VariantShape::Unit(atom.clone())
        }
        // Another member with the same tag and size already has the tag.
        Type::Tuple(elements) if repeated => {
            let kind = tuple_kind(cx, elements, position);
            VariantShape::Untagged(cx.anonymous(
                &position.names(),
                member_text(member),
                kind,
                position,
            ))
        }
        Type::Tuple(elements) if !elements.is_empty() => match split_tag(elements) {
            Some((tag, rest)) => {
                cx.atom(tag);
                VariantShape::Tagged(tag.to_owned(), self::elements(cx, rest, position))
            }
            None => VariantShape::Tuple(self::elements(cx, elements, position)),
        },
        _ => VariantShape::Untagged(lower(cx, member, position)),
    }
}

/// Returns a member in Erlang's syntax, with an annotation only if the type itself is not
/// informative.
fn member_text(member: &Type) -> String {
    match member {
        Type::Annotated(_, inner) => text::erlang(inner),
        other => text::erlang(other),
    }
}

/// Returns the form's name for the state in `result`, if the state occurs in it.
pub(super) fn word_for_state(cx: &Context<'_>, result: &Type) -> Option<String> {
    let whole = || vec![result.clone()];
    let members = cx.facts.members(result).unwrap_or_else(whole);
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

/// Returns whether the reply occurs in `result`.
pub(super) fn has_reply(cx: &Context<'_>, result: &Type) -> bool {
    occurs(result, &|ty| cx.roles.is_reply(ty), DEPTH)
}

/// Returns whether the type parameter `name` occurs in any clause.
pub(super) fn mentions(returns: &Returns, name: &str) -> bool {
    match returns {
        Returns::AnyTerm => false,
        Returns::Type(ty) => ty.mentions(name),
        Returns::Clauses { clauses, .. } => {
            clauses.iter().any(|clause| clause_mentions(clause, name))
        }
    }
}

/// Returns whether the type parameter `name` occurs in the clause.
pub(super) fn clause_mentions(clause: &ReturnClause, name: &str) -> bool {
    let types = clause.variant.shape.types();
    types.into_iter().any(|ty| ty.mentions(name))
}

/// Returns the clause that has the shape of `variant` in Erlang. `own` is the type parameter of the
/// state, `makes` tells whether the callback makes it.
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

/// Returns whether two clauses are equal in Rust: they have the same tag, and values of the same
/// types.
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

/// Returns `ty` with any term in place of the state.
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
    /// Whether a state has already occurred.
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

    /// Returns the elements that remain in Rust, and the terms of all.
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

    /// Returns the type in Rust, and the term; `place` is the position of the value, if it remains.
    /// A value owns its state, so only the first mention is the process's state.
    fn part(&mut self, ty: &RustType, place: Vec<usize>) -> (Option<RustType>, ClauseTerm) {
        match ty {
            RustType::Parameter(name) if name == self.own && self.seen => {
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
