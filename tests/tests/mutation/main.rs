//! The types of callbacks are proved by mutation: whatever OTP's `-callback` forms let a callback
//! return compiles, and every near miss of it is refused with a message that quotes the form.
//!
//! Values are enumerated from the installed OTP's forms (`sample`), changed in one place (`mutate`),
//! judged by Erlang's types alone (`accept`), and written as functions whose type is the callback's
//! return trait (`render`): one crate of all that is right and one of all that is wrong, each
//! checked in one run of the compiler (`scratch`).

use std::collections::{BTreeMap, BTreeSet};

use otp_bridge_novm as _;

mod accept;
mod mutate;
mod otp;
mod render;
mod sample;
mod scratch;

use mutate::{Kind, difference, mutants};
use otp::{Otp, Return};
use render::Source;
use sample::{Sample, Samples};

/// What there is of a return trait.
#[derive(Default)]
struct Count {
    clauses: usize,
    values: usize,
    /// Mutants that another clause allows: no mistakes.
    legal: usize,
    refused: BTreeMap<Kind, usize>,
}

/// The state that is given back beside a clause, if any is.
fn beside(of: &Return, clause: &Sample) -> Option<String> {
    of.kept
        .clone()
        .filter(|own| !clause.holds(&Sample::Own(own.clone())))
}

fn kept(expression: &str, beside: Option<&str>) -> String {
    match beside {
        Some(own) => format!("Keeping({expression}, value::<{own}>())"),
        None => expression.to_owned(),
    }
}

#[test]
fn every_clause_of_every_callback_compiles() {
    let otp = Otp::installed();
    let mut source = Source::new(&otp);
    let mut written = BTreeMap::new();
    for of in otp.returns() {
        let samples = Samples { otp: &otp, of: &of };
        for sample in samples.clauses().into_iter().flatten() {
            let expression = source.expression(&sample);
            let expression = kept(&expression, beside(&of, &sample).as_deref());
            assert!(samples.legal(&sample), "{}: {expression}", of.qualified);
            let line = source.function(&of, &expression);
            written.insert(line, format!("{}: {expression}", of.qualified));
            let line = source.function(&of, &format!("Ok::<_, Exit>({expression})"));
            written.insert(line, format!("{}: Ok({expression})", of.qualified));
        }
    }
    let errors = scratch::check("right", &source.finish());
    let refused: Vec<String> = errors
        .iter()
        .map(|(line, said)| format!("{:?}: {}", written.get(line), said[0]))
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n\n"));
    assert!(written.len() > 2 * otp.callbacks(), "{}", written.len());
}

/// A near miss in the crate of what is wrong.
struct Wrong<'r> {
    of: &'r Return,
    kind: Kind,
    expression: String,
    /// Whether the message is that of a conversion, which does not know the callback.
    converted: bool,
}

/// All near misses of what a callback may return.
fn near_misses<'r>(
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
                // Once as it is converted, where the message is the conversion's, and once plainly.
                for (form, converted) in [
                    (mutant.sample.bare(), false),
                    (mutant.sample.clone(), mutant.sample.converts()),
                ] {
                    let expression = kept(&source.expression(&form), beside.as_deref());
                    if seen.insert(expression.clone()) {
                        let kind = mutant.kind;
                        wrong.push(Wrong {
                            of,
                            kind,
                            expression,
                            converted,
                        });
                    }
                }
            }
        }
        if let Some(own) = &of.kept {
            let expression = source.expression(plain);
            let expression = match beside(of, plain) {
                Some(_) => expression,
                None => kept(&expression, Some(own)),
            };
            wrong.push(Wrong {
                of,
                kind: Kind::Keeping,
                expression,
                converted: false,
            });
        }
    }
    wrong
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

#[test]
fn every_near_miss_is_refused_and_the_message_quotes_the_callback() {
    let otp = Otp::installed();
    let returns = otp.returns();
    let mut source = Source::new(&otp);
    let mut written: BTreeMap<usize, Wrong<'_>> = BTreeMap::new();
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for of in &returns {
        let samples = Samples { otp: &otp, of };
        let count = counts
            .entry(format!("{} {}", of.qualified, of.name))
            .or_default();
        for wrong in near_misses(&samples, &mut source, count) {
            *count.refused.entry(wrong.kind).or_default() += 1;
            written.insert(source.function(of, &wrong.expression), wrong);
        }
    }
    let errors = scratch::check("wrong", &source.finish());
    let mut findings = Vec::new();
    for (line, wrong) in &written {
        let shown = format!(
            "{}: {:?}: {}",
            wrong.of.qualified, wrong.kind, wrong.expression
        );
        match errors.get(line) {
            None => findings.push(format!("{shown}\n  compiles")),
            Some(said)
                if wrong.converted || said.iter().any(|text| text.contains(&wrong.of.erlang)) => {}
            Some(said) => findings.push(format!(
                "{shown}\n  {}",
                said.join("\n").replace('\n', "\n  ")
            )),
        }
    }
    assert!(
        findings.is_empty(),
        "{} of {}\n{}",
        findings.len(),
        written.len(),
        findings.join("\n")
    );
}
