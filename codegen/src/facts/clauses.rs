//! Forms with several clauses. Some clauses become callbacks of their own; the others share one
//! signature, in which each position is the union of the clauses' types.
//!
//! Erlang distinguishes the clauses of `handle_event(enter, …) -> …; (event_type(), …) -> ….` by
//! the argument in which they differ, and allows each its own results. The Rust form does the same:
//!
//! - For each atom that some clauses have in that position and others do not, those clauses are a
//!   callback of their own: `handle_event_enter`.
//! - The other clauses are the callback that the form names. Their argument in that position
//!   distinguishes the callback's Rust clauses: it is *open*, but limited to parts of the type in
//!   the form.
//! - A variable that one clause leaves unbound gets the type that another clause gives it. In the
//!   clause's own result, it is the very term that the clause received
//!   (`state_enter_result(CurrentState)`).

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::{Clause, Function, Type};

use super::rewrite::rewrite;
use super::{DEPTH, annotation, bare};

/// A callback's argument types and its result, with all clauses combined.
pub(crate) struct Signature {
    /// One for each argument.
    pub(crate) arguments: Vec<Type>,
    pub(crate) result: Type,
}

/// The clauses of a form that become one callback in Rust.
pub(crate) struct Share {
    /// The position and the atom in it that only these clauses have.
    pub(crate) distinguished_by: Option<(usize, String)>,
    /// The position whose type distinguishes the clauses in Rust.
    pub(crate) discriminant: Option<usize>,
    /// Variables of their arguments that occur again in their results and stand for the same terms.
    pub(crate) given: BTreeSet<String>,
    /// Their combined signature.
    pub(crate) signature: Signature,
}

/// Returns the Rust callbacks of `function`: first those with an atom, in source order.
pub(crate) fn shares(function: &Function) -> Vec<Share> {
    let clauses = bound(&function.clauses);
    let Some(position) = (0..function.arity).find(|index| differs(&clauses, *index)) else {
        let all: Vec<&Clause> = clauses.iter().collect();
        return vec![Share {
            distinguished_by: None,
            discriminant: None,
            given: BTreeSet::new(),
            signature: together(function.arity, &all),
        }];
    };
    let given = given(&function.clauses);
    let mut others = Vec::new();
    let mut atoms: Vec<&str> = Vec::new();
    let mut of_atom: BTreeMap<&str, Vec<Clause>> = BTreeMap::new();
    for (clause, written) in clauses.iter().zip(&function.clauses) {
        let Some(atom) = literal(clause, position) else {
            others.push(clause);
            continue;
        };
        let same = of_atom.entry(atom).or_insert_with(|| {
            atoms.push(atom);
            Vec::new()
        });
        // The results keep their variables, because these stand for terms of the arguments.
        same.push(Clause {
            params: clause.params.clone(),
            result: written.result.clone(),
        });
    }
    let share = |atom: &str| {
        let same = of_atom.get(atom).into_iter().flatten();
        Share {
            distinguished_by: Some((position, atom.to_owned())),
            discriminant: None,
            given: given.clone(),
            signature: together(function.arity, &same.collect::<Vec<_>>()),
        }
    };
    let mut shares: Vec<Share> = atoms.into_iter().map(share).collect();
    if !others.is_empty() {
        shares.push(Share {
            distinguished_by: None,
            discriminant: Some(position),
            given: BTreeSet::new(),
            signature: together(function.arity, &others),
        });
    }
    shares
}

/// Returns the combined signature of `function`.
pub(crate) fn signature(function: &Function) -> Signature {
    together(function.arity, &function.clauses.iter().collect::<Vec<_>>())
}

/// Returns whether some clause lacks an atom in this position that another clause has.
fn differs(clauses: &[Clause], position: usize) -> bool {
    let atoms: Vec<Option<&str>> = clauses
        .iter()
        .map(|clause| literal(clause, position))
        .collect();
    atoms.iter().any(Option::is_some) && atoms.iter().any(|atom| *atom != atoms[0])
}

fn literal(clause: &Clause, position: usize) -> Option<&str> {
    match bare(clause.params.get(position)?) {
        Type::Atom(atom) => Some(atom),
        _ => None,
    }
}

/// Returns the types of arguments that clauses annotate, by their variables.
fn annotated(clauses: &[Clause]) -> BTreeMap<&str, &Type> {
    let mut annotated: BTreeMap<&str, &Type> = BTreeMap::new();
    for param in clauses.iter().flat_map(|clause| &clause.params) {
        if let Type::Annotated(name, _) = param {
            annotated.entry(name).or_insert(param);
        }
    }
    annotated
}

/// Returns arguments that are only a variable, which another clause annotates.
fn given(clauses: &[Clause]) -> BTreeSet<String> {
    let annotated = annotated(clauses);
    let params = clauses.iter().flat_map(|clause| &clause.params);
    let variables = params.filter_map(|param| match param {
        Type::Var(name) if annotated.contains_key(name.as_str()) => Some(name.clone()),
        _ => None,
    });
    variables.collect()
}

/// Returns the clauses with their unbound variables replaced by the annotated types of other
/// clauses.
fn bound(clauses: &[Clause]) -> Vec<Clause> {
    let annotated = annotated(clauses);
    let bind = |ty: &Type| {
        rewrite(ty, DEPTH, &mut |part| match part {
            Type::Var(name) => annotated.get(name.as_str()).map(|ty| (*ty).clone()),
            _ => None,
        })
    };
    let one = |clause: &Clause| Clause {
        params: clause.params.iter().map(bind).collect(),
        result: bind(&clause.result),
    };
    clauses.iter().map(one).collect()
}

/// Combines clauses: positions in which they disagree become unions. An annotation is kept if all
/// clauses that have one agree.
fn together(arity: usize, clauses: &[&Clause]) -> Signature {
    let arguments = (0..arity)
        .map(|index| {
            let column: Vec<&Type> = clauses
                .iter()
                .filter_map(|clause| clause.params.get(index))
                .collect();
            merged(&column)
        })
        .collect();
    let results: Vec<&Type> = clauses.iter().map(|clause| &clause.result).collect();
    Signature {
        arguments,
        result: merged(&results),
    }
}

/// Returns the union of `types`, without duplicates; `term()` if there are none.
pub(crate) fn merged(types: &[&Type]) -> Type {
    let Some(first) = types.first() else {
        return Type::Any;
    };
    if types.iter().all(|ty| ty == first) {
        return (*first).clone();
    }
    let mut seen: BTreeSet<&Type> = BTreeSet::new();
    let mut members: Vec<Type> = Vec::new();
    for ty in types {
        let inner = match bare(ty) {
            Type::Union(inner) => inner.as_slice(),
            Type::Var(_) => &[Type::Any],
            other => std::slice::from_ref(other),
        };
        for member in inner {
            if seen.insert(member) {
                members.push(member.clone());
            }
        }
    }
    let union = if members.len() == 1 {
        members.remove(0)
    } else {
        Type::Union(members)
    };
    let mut names: Vec<&str> = types.iter().filter_map(|ty| annotation(ty)).collect();
    names.dedup();
    match names.as_slice() {
        [name] => Type::Annotated((*name).to_owned(), Box::new(union)),
        _ => union,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn annotated(name: &str, ty: Type) -> Type {
        Type::Annotated(name.to_owned(), Box::new(ty))
    }

    #[test]
    fn agreeing_positions_stay_as_they_are() {
        let state = annotated("State", Type::Any);
        assert_eq!(merged(&[&state, &state]), state);
    }

    #[test]
    fn differing_positions_become_one_union_that_keeps_a_common_annotation() {
        let one = annotated("Event", Type::Atom("enter".to_owned()));
        let other = annotated(
            "Event",
            Type::Union(vec![
                Type::Atom("enter".to_owned()),
                Type::Atom("info".to_owned()),
            ]),
        );
        let members = vec![
            Type::Atom("enter".to_owned()),
            Type::Atom("info".to_owned()),
        ];
        assert_eq!(
            merged(&[&one, &other]),
            annotated("Event", Type::Union(members.clone()))
        );
        let renamed = annotated("Type", Type::Atom("info".to_owned()));
        assert_eq!(merged(&[&one, &renamed]), Type::Union(members));
    }
}
