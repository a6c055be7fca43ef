//! The Rust functions for an overloaded `-spec`.

use std::collections::BTreeSet;

use otp_specs::types::{Clause, Function, Type};

use crate::facts::bare;
use crate::facts::clauses::merged;
use crate::names::functions::{label, longer_label};

/// A future Rust function: one clause, or several combined.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BindingForm {
    /// Labels that distinguish it from the other forms of the function; empty if it is the only
    /// one.
    pub(crate) labels: Vec<String>,
    /// Argument types.
    pub(crate) params: Vec<Type>,
    /// Arguments from which the labels were derived.
    pub(crate) told_by: Vec<usize>,
    /// The arguments that the labels make redundant: single atoms.
    pub(crate) given: BTreeSet<usize>,
    pub(crate) result: Type,
}

/// Returns the forms of `function`, in source order. Empty if no clause has the function's number
/// of arguments.
pub(crate) fn forms(function: &Function) -> Vec<BindingForm> {
    let mut clauses: Vec<&Clause> = Vec::new();
    for clause in &function.clauses {
        if clause.params.len() == function.arity && !clauses.contains(&clause) {
            clauses.push(clause);
        }
    }
    let differing: Vec<usize> = (0..function.arity)
        .filter(|index| !all_equal(clauses.iter().map(|clause| &clause.params[*index])))
        .collect();
    let same_result = all_equal(clauses.iter().map(|clause| &clause.result));
    if clauses.len() < 2 || differing.is_empty() || (differing.len() == 1 && same_result) {
        return whole(function.arity, &clauses).into_iter().collect();
    }
    let (told_by, labels) = labels(&clauses, &differing);
    let form = |(clause, labels): (&&Clause, Vec<String>)| BindingForm {
        labels,
        told_by: told_by.clone(),
        given: told_by
            .iter()
            .copied()
            .filter(|index| matches!(bare(&clause.params[*index]), Type::Atom(_)))
            .collect(),
        params: clause.params.clone(),
        result: clause.result.clone(),
    };
    clauses.iter().zip(labels).map(form).collect()
}

fn all_equal<'t>(mut types: impl Iterator<Item = &'t Type>) -> bool {
    let first = types.next().map(bare);
    types.all(|ty| Some(bare(ty)) == first)
}

/// Combines all clauses in one form: each position is the union of the clauses' types.
fn whole(arity: usize, clauses: &[&Clause]) -> Option<BindingForm> {
    let column = |index: usize| -> Vec<&Type> {
        clauses.iter().map(|clause| &clause.params[index]).collect()
    };
    let results: Vec<&Type> = clauses.iter().map(|clause| &clause.result).collect();
    (!clauses.is_empty()).then(|| BindingForm {
        labels: Vec::new(),
        params: (0..arity).map(|index| together(&column(index))).collect(),
        told_by: Vec::new(),
        given: BTreeSet::new(),
        result: together(&results),
    })
}

/// Returns the union of `types`, or one of them if they differ only in names.
fn together(types: &[&Type]) -> Type {
    match types {
        [first, ..] if all_equal(types.iter().copied()) => (*first).clone(),
        _ => merged(types),
    }
}

/// Returns a label for each clause, and the arguments from which it was derived: the first argument
/// whose labels are all different; otherwise the first in which the clauses differ, with longer
/// labels, and together with further arguments if that is not enough.
fn labels(clauses: &[&Clause], differing: &[usize]) -> (Vec<usize>, Vec<Vec<String>>) {
    let of = |index: usize| -> Vec<String> {
        clauses
            .iter()
            .map(|clause| label(&clause.params[index]))
            .collect()
    };
    let single = |index: usize, labels: Vec<String>| {
        let labels = labels.into_iter().map(|label| vec![label]).collect();
        (vec![index], labels)
    };
    for index in differing {
        let labels = of(*index);
        if (0..labels.len()).all(|place| is_unique(&labels, place)) {
            return single(*index, labels);
        }
    }
    let short = of(differing[0]);
    let longer = |(place, clause): (usize, &&Clause)| match is_unique(&short, place) {
        true => short[place].clone(),
        false => longer_label(&clause.params[differing[0]]),
    };
    let first: Vec<String> = clauses.iter().enumerate().map(longer).collect();
    if (0..first.len()).all(|place| is_unique(&first, place)) {
        return single(differing[0], first);
    }
    let joined = |(place, clause): (usize, &&Clause)| {
        if is_unique(&first, place) {
            return vec![first[place].clone()];
        }
        let labels = differing.iter().map(|index| label(&clause.params[*index]));
        labels.collect()
    };
    let labels = clauses.iter().enumerate().map(joined).collect();
    (differing.to_vec(), labels)
}

/// Returns whether no other label is the same as the one in this place.
fn is_unique(labels: &[String], place: usize) -> bool {
    let same = labels.iter().filter(|label| **label == labels[place]);
    same.count() == 1
}
