//! Wrong return values of a callback: all near misses that Erlang's type does not contain.

use std::collections::{BTreeMap, BTreeSet};

use crate::mutate::{Kind, difference, mutants};
use crate::otp::Return;
use crate::render::Source;
use crate::sample::{Sample, Samples};

/// The near misses of a return trait.
#[derive(Default)]
pub(crate) struct Count {
    pub(crate) clauses: usize,
    pub(crate) values: usize,
    /// Near misses that another clause allows, and that are therefore right.
    pub(crate) legal: usize,
    pub(crate) wrong: BTreeMap<Kind, usize>,
}

/// A near miss in the crate of wrong values.
pub(crate) struct Wrong<'r> {
    pub(crate) of: &'r Return,
    pub(crate) kind: Kind,
    pub(crate) expression: String,
    /// Whether the message comes from the conversion, which does not know the callback.
    pub(crate) converted: bool,
}

/// Returns all near misses of the values that a callback may return.
pub(crate) fn near_misses<'r>(
    samples: &Samples<'r>,
    source: &mut Source<'_>,
    count: &mut Count,
) -> Vec<Wrong<'r>> {
    let of = samples.of;
    let clauses = samples.clauses();
    let tags = tags(&clauses);
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    // Parts that several clauses share, such as actions, are changed only in the first one.
    let mut changed: Vec<&Sample> = Vec::new();
    let mut add = |kind: Kind, expression: String, converted: bool| {
        if seen.insert(expression.clone()) {
            *count.wrong.entry(kind).or_default() += 1;
            wrong.push(Wrong {
                of,
                kind,
                expression,
                converted,
            });
        }
    };
    assert_eq!(clauses.len(), of.left_out.len(), "{}", of.qualified);
    for (clause, left_out) in clauses.iter().zip(&of.left_out) {
        count.clauses += 1;
        count.values += clause.len();
        let plain = &clause[0];
        for sample in clause {
            let difference = difference(plain, sample);
            if changed.contains(&difference) {
                continue;
            }
            changed.push(difference);
            for mutant in mutants(plain, sample, &tags) {
                if samples.legal(&mutant.sample) {
                    count.legal += 1;
                    continue;
                }
                // Written twice: without the conversion, and with it, where the message comes from
                // the conversion.
                let bare = source.expression(&mutant.sample.bare());
                add(mutant.kind, bare, false);
                let converts = mutant.sample.converts();
                source.write_for(of, &mutant.sample);
                let expression = source.expression(&mutant.sample);
                add(mutant.kind, expression, converts);
            }
        }
        if let Some(index) = left_out {
            let whole = with_state(plain, *index, &of.state);
            add(Kind::State, source.expression(&whole), false);
        }
    }
    for clause in &of.given {
        let changed = samples.changed(clause);
        add(Kind::Given, source.expression(&changed), false);
    }
    wrong
}

/// Returns the clause in its Erlang form, with the state.
fn with_state(clause: &Sample, index: usize, state: &str) -> Sample {
    let state = Sample::Parameter(state.to_owned());
    match clause {
        _ if index == 0 => state,
        Sample::Tuple(elements) => {
            let mut elements = elements.clone();
            elements.insert(index, state);
            Sample::Tuple(elements)
        }
        tag => Sample::Tuple(vec![tag.clone(), state]),
    }
}

/// Returns the atoms that distinguish the clauses.
fn tags(clauses: &[Vec<Sample>]) -> Vec<String> {
    let tag = |clause: &Vec<Sample>| match &clause[0] {
        Sample::Atom(atom) => Some(atom.clone()),
        Sample::Tuple(elements) => match elements.first() {
            Some(Sample::Atom(atom)) => Some(atom.clone()),
            _ => None,
        },
        _ => None,
    };
    let tags: BTreeSet<String> = clauses.iter().filter_map(tag).collect();
    tags.into_iter().collect()
}
