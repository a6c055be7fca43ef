//! The clauses of a callback's return type in their Rust form: without the state, if the callback
//! leaves it in place.

use otp_specs::types::Type;

use crate::otp::{Otp, stem};
use crate::sample::bare;

/// A clause of a return type.
#[derive(Clone, PartialEq)]
pub(crate) struct Clause {
    /// The type, without the state where that is left out.
    pub(crate) ty: Type,
    /// Index of the omitted state in its tuple; 0 if the clause was the state alone.
    pub(crate) left_out: Option<usize>,
}

/// Returns the members of `result`, with named unions and tuples resolved.
pub(crate) fn members(otp: &Otp, result: &Type) -> Vec<Type> {
    match bare(result) {
        Type::Union(all) => all.iter().flat_map(|member| members(otp, member)).collect(),
        Type::Named(name, arguments) => match otp.body(name, arguments) {
            Some(body @ (Type::Union(_) | Type::Tuple(_) | Type::Atom(_) | Type::Named(..))) => {
                members(otp, &body)
            }
            _ => vec![result.clone()],
        },
        _ => vec![result.clone()],
    }
}

/// Returns every clause once. `state` is the behaviour's name for the state, if it is left out.
pub(crate) fn clauses(members: &[Type], state: Option<&str>) -> Vec<Clause> {
    let mut clauses: Vec<Clause> = Vec::new();
    for member in members {
        let clause = without(member, state);
        if !clauses.iter().any(|known| known.ty == clause.ty) {
            clauses.push(clause);
        }
    }
    clauses
}

fn without(member: &Type, state: Option<&str>) -> Clause {
    let whole = Clause {
        ty: member.clone(),
        left_out: None,
    };
    let Some(state) = state else {
        return whole;
    };
    if is_state(member, state) {
        let ty = Type::Tuple(Vec::new());
        return Clause {
            ty,
            left_out: Some(0),
        };
    }
    let Type::Tuple(elements) = bare(member) else {
        return whole;
    };
    let Some(index) = elements.iter().position(|ty| is_state(ty, state)) else {
        return whole;
    };
    let mut left = elements.clone();
    left.remove(index);
    let ty = match left.as_slice() {
        // A tag without other elements becomes its atom.
        [tag @ Type::Atom(_)] => tag.clone(),
        _ => Type::Tuple(left),
    };
    Clause {
        ty,
        left_out: Some(index),
    }
}

/// Returns whether `ty` is the state, which the behaviour calls `state`.
pub(crate) fn is_state(ty: &Type, state: &str) -> bool {
    match ty {
        Type::Annotated(name, inner) => match &**inner {
            Type::Any | Type::Var(_) => stem(name) == state,
            inner => is_state(inner, state),
        },
        Type::Var(name) => stem(name) == state,
        Type::Named(name, _) => state == "Data" && name.name == "data",
        _ => false,
    }
}

/// Returns whether the clause contains the reply.
pub(crate) fn replies(member: &Type) -> bool {
    let reply = |ty: &Type| matches!(ty, Type::Annotated(name, _) if name == "Reply");
    matches!(bare(member), Type::Tuple(elements) if elements.iter().any(reply))
}
