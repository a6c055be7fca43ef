//! Members of a union, and clauses of a callback's result, as variants of an enum.

use std::collections::BTreeSet;

use otp_specs::types::Type;

use super::context::Context;
use super::lower;
use super::position::Position;
use super::tuple::{elements, split_tag, tuple_kind};
use super::union::{head, one_for_each_head};
use crate::facts::bare;
use crate::ir::{Shape, Variant};
use crate::names::variants::{names, shortest_of_tag};
use crate::names::{Taken, snake, without_new};
use crate::report::Reason;
use crate::text;

/// Variants of the members, which [`super::union::normal`] gave, in their order.
pub(super) fn variants(
    cx: &mut Context<'_>,
    members: &[Type],
    position: &Position<'_>,
) -> Vec<Variant> {
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
    let shortest = shortest_of_tag(members);
    let mut taken = Taken::default();
    let mut heads = BTreeSet::new();
    let mut variants = Vec::new();
    for member in members {
        let name = taken.claim_first(&names(member, &shortest));
        let repeated = head(member).is_some_and(|head| !heads.insert(head));
        let shape = shape(cx, member, repeated, &position.inside(&name));
        variants.push(Variant {
            name,
            erlang: member_text(member),
            shape,
        });
    }
    variants
}

fn shape(cx: &mut Context<'_>, member: &Type, repeated: bool, position: &Position<'_>) -> Shape {
    match bare(member) {
        Type::Atom(atom) => {
            cx.atom(atom);
            Shape::Unit(atom.clone())
        }
        // Another member of the same tag and size has the tag already.
        Type::Tuple(elements) if repeated => {
            let kind = tuple_kind(cx, elements, position);
            Shape::Untagged(cx.anonymous(&position.names(), member_text(member), kind, position))
        }
        Type::Tuple(elements) if !elements.is_empty() => match split_tag(elements) {
            Some((tag, rest)) => {
                cx.atom(tag);
                Shape::Tagged(tag.to_owned(), self::elements(cx, rest, position))
            }
            None => Shape::Tuple(self::elements(cx, elements, position)),
        },
        _ => Shape::Untagged(lower(cx, member, position)),
    }
}

/// A member as Erlang writes it, with an annotation only where there is nothing else to say.
fn member_text(member: &Type) -> String {
    match member {
        Type::Annotated(_, inner) => text::erlang(inner),
        other => text::erlang(other),
    }
}

/// The last part of a variable's name in Rust, for elements without annotation.
pub(super) fn element_name(annotation: Option<&str>) -> String {
    annotation.map_or_else(|| "with".to_owned(), |name| snake(without_new(name)))
}
