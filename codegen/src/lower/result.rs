//! Results of callbacks: what the return enum holds.

use otp_specs::types::Type;

use super::clause::{clause, same, without_state};

use super::context::Context;
use super::lower;
use super::position::Position;
use super::union::normal;
use super::variants::variants;
use crate::facts::substitute::members;
use crate::facts::{DEPTH, annotation, bare, parts};
use crate::ir::{Clause, Returns, RustType};
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
    let mut clauses: Vec<Clause> = Vec::new();
    for variant in variants(cx, members, position) {
        let clause = clause(variant, &own, makes);
        if !clauses.iter().any(|known| same(known, &clause)) {
            clauses.push(clause);
        }
    }
    let wanted = camel(name);
    let wanted = if cx.is_taken(&wanted) {
        format!("{wanted}Result")
    } else {
        wanted
    };
    Returns::Clauses {
        name: cx.claim(&wanted),
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
pub(super) fn clause_mentions(clause: &Clause, name: &str) -> bool {
    let types = clause.variant.shape.types();
    types.into_iter().any(|ty| ty.mentions(name))
}
