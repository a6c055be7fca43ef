//! What is wrong with what a callback returns: every near miss that Erlang's type refuses.

use std::collections::{BTreeMap, BTreeSet};

use crate::mutate::{Kind, difference, mutants};
use crate::otp::Return;
use crate::render::Source;
use crate::sample::{Sample, Samples};

/// What there is of a return trait.
#[derive(Default)]
pub(crate) struct Count {
    pub(crate) clauses: usize,
    pub(crate) values: usize,
    /// Near misses that another clause allows: no mistakes.
    pub(crate) legal: usize,
    pub(crate) wrong: BTreeMap<Kind, usize>,
}

/// A near miss in the crate of what is wrong.
pub(crate) struct Wrong<'r> {
    pub(crate) of: &'r Return,
    pub(crate) kind: Kind,
    pub(crate) expression: String,
    /// Whether the message is that of a conversion, which does not know the callback.
    pub(crate) converted: bool,
}

/// All near misses of what a callback may return.
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
    // What several clauses hold, such as actions, is changed in the first of them.
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
    for clause in &clauses {
        count.clauses += 1;
        count.values += clause.len();
        let plain = &clause[0];
        for sample in clause {
            let difference = difference(plain, sample);
            if changed.contains(&difference) {
                continue;
            }
            changed.push(difference);
            let beside = beside(of, sample);
            for mutant in mutants(plain, sample, &tags) {
                if samples.legal(&mutant.sample) {
                    count.legal += 1;
                    continue;
                }
                // Plainly, and as it is: where it converts, the message is the conversion's.
                let bare = source.expression(&mutant.sample.bare());
                add(mutant.kind, kept(&bare, beside.as_deref()), false);
                let converts = mutant.sample.converts();
                let own = source.expression(&mutant.sample);
                add(mutant.kind, kept(&own, beside.as_deref()), converts);
            }
        }
        if let Some(own) = &of.kept {
            let expression = source.expression(plain);
            let expression = match beside(of, plain) {
                Some(_) => expression,
                None => kept(&expression, Some(own)),
            };
            add(Kind::Keeping, expression, false);
        }
    }
    wrong
}

/// The state that is given back beside a clause, if any is.
pub(crate) fn beside(of: &Return, clause: &Sample) -> Option<String> {
    let kept = of.kept.clone();
    kept.filter(|own| !clause.holds(&Sample::Own(own.clone())))
}

/// The clause with the state beside it.
pub(crate) fn kept(expression: &str, beside: Option<&str>) -> String {
    match beside {
        Some(own) => format!("Keeping({expression}, value::<{own}>())"),
        None => expression.to_owned(),
    }
}

/// The atoms by which clauses are told apart.
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
