//! Which Rust functions an overloaded `-spec` becomes.

use std::collections::BTreeSet;

use otp_specs::types::{Clause, Function, Type};

use crate::facts::bare;
use crate::facts::clauses::merged;
use crate::names::functions::label;

/// A Rust function to be: one clause, or several taken together.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BindingForm {
    /// What tells it from the other forms of the same function; nothing when it is the only one.
    pub(crate) labels: Vec<String>,
    /// Argument types.
    pub(crate) params: Vec<Type>,
    /// Arguments that the labels were made of.
    pub(crate) told_by: Vec<usize>,
    /// Those of them that the labels say already: single atoms.
    pub(crate) given: BTreeSet<usize>,
    pub(crate) result: Type,
}

/// The forms of `function`, in source order. Empty when no clause has as many arguments as it says.
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

/// All clauses as one form: each position is the union of the clauses'.
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

/// The union of `types`; one of them as it is when they are the same but for their names.
fn together(types: &[&Type]) -> Type {
    match types {
        [first, ..] if all_equal(types.iter().copied()) => (*first).clone(),
        _ => merged(types),
    }
}

/// A label for each clause, and the arguments that it was made of: the first argument whose labels
/// are all different; otherwise the first in which the clauses differ, with the further ones where
/// that is not enough.
fn labels(clauses: &[&Clause], differing: &[usize]) -> (Vec<usize>, Vec<Vec<String>>) {
    let of = |index: usize| -> Vec<String> {
        clauses
            .iter()
            .map(|clause| label(&clause.params[index]))
            .collect()
    };
    let mut first = Vec::new();
    for index in differing {
        let labels = of(*index);
        if labels.iter().collect::<BTreeSet<_>>().len() == labels.len() {
            return (
                vec![*index],
                labels.into_iter().map(|label| vec![label]).collect(),
            );
        }
        if first.is_empty() {
            first = labels;
        }
    }
    let joined = |(clause, label_of_first): (&&Clause, &String)| {
        if first
            .iter()
            .filter(|other| *other == label_of_first)
            .count()
            == 1
        {
            return vec![label_of_first.clone()];
        }
        let labels = differing.iter().map(|index| label(&clause.params[*index]));
        labels.collect()
    };
    let labels = clauses.iter().zip(&first).map(joined).collect();
    (differing.to_vec(), labels)
}
