//! Tests the types of callbacks by mutation: everything that OTP's `-callback` forms let a callback
//! return compiles, and every near miss is refused with a message that quotes the form.
//!
//! The values are listed from the installed OTP's forms (`sample`), changed in one position
//! (`mutate`), judged by Erlang's types alone (`accept`), and written as functions whose type is
//! the callback's return trait (`render`). Some are also written in whole behaviours (`whole`),
//! where the attribute macro takes part. All correct values are in one crate and all wrong ones in
//! another. Each crate is checked in one run of the compiler (`scratch`).
//!
//! With `.into()`, as for an action in a list, the conversion refuses the value, and does not know
//! the callback. There, the test only checks that the near miss is refused. The near miss is also
//! written without `.into()`, where the message is the callback's.
//!
//! The test also changes whole callback modules (`modules`).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use otp_bridge_novm as _;

mod accept;
mod clauses;
mod misses;
mod modules;
mod mutate;
mod otp;
mod render;
mod sample;
mod scratch;
mod whole;

use misses::{Count, Wrong, near_misses};
use mutate::Kind;
use otp::{Otp, Return};
use render::Source;
use sample::Samples;

/// Number of wrong whole behaviours of each kind.
const WHOLE: usize = 8;

/// The source on each line of a crate.
type Written = BTreeMap<usize, String>;

/// The plainest value of every clause of each trait, by behaviour and name.
type Clauses<'r> = BTreeMap<(&'r str, &'r str), Vec<String>>;

#[test]
fn every_clause_of_every_callback_compiles() {
    let otp = Otp::installed();
    let returns = otp.returns();
    let mut source = Source::new(&otp);
    let mut written = Written::new();
    let mut clauses = Clauses::new();
    for of in &returns {
        let plain = right(&Samples { otp: &otp, of }, &mut source, &mut written);
        clauses.insert((&of.behaviour, &of.name), plain);
    }
    let most = clauses.values().map(Vec::len).max().unwrap_or_default();
    let whole = right_behaviours(&returns, &clauses, most, &mut source, &mut written);
    let errors = scratch::check("right", &source.finish());
    let refused: Vec<String> = errors
        .iter()
        .map(|(line, errors)| format!("{:?}: {}", written.get(line), errors[0]))
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n\n"));
    assert!(whole > returns.len() * most && returns.len() >= otp.callbacks());
}

/// Writes a function for every value that a callback may return. Returns the plainest value of each
/// clause.
fn right(samples: &Samples<'_>, source: &mut Source<'_>, written: &mut Written) -> Vec<String> {
    let of = samples.of;
    let mut plainest = Vec::new();
    let mut expressions = vec![format!("value::<{}>()", of.value())];
    for clause in samples.clauses() {
        for (index, sample) in clause.iter().enumerate() {
            source.write_for(of, sample);
            let expression = source.expression(sample);
            assert!(samples.legal(sample), "{}: {expression}", of.qualified);
            if index == 0 {
                plainest.push(expression.clone());
            }
            expressions.push(format!("Ok::<_, Exit>({expression})"));
            expressions.push(expression);
        }
    }
    for expression in expressions {
        let line = source.function(of, &expression);
        written.insert(line, format!("{}: {expression}", of.qualified));
    }
    plainest
}

/// Writes whole behaviours with different clauses in their callbacks, and the enums last. Returns
/// the number of callbacks in them.
fn right_behaviours(
    returns: &[Return],
    clauses: &Clauses<'_>,
    most: usize,
    source: &mut Source<'_>,
    written: &mut Written,
) -> usize {
    let mut count = 0;
    for number in 0..=most {
        let behaviours = whole::behaviours(returns, &format!("whole{number}"), |of| {
            let clauses = &clauses[&(of.behaviour.as_str(), of.name.as_str())];
            match number == most {
                true => format!("{} {{ value::<{}>() }}", of.value(), of.value()),
                false => format!("{} {{ {} }}", of.bound(), clauses[number % clauses.len()]),
            }
        });
        for behaviour in behaviours {
            let first = source.text(&behaviour.text);
            count += behaviour.callbacks.len();
            let lines = behaviour.text.lines().enumerate();
            written.extend(lines.map(|(line, shown)| (first + line, shown.to_owned())));
        }
    }
    count
}

#[test]
fn every_near_miss_is_refused_and_the_message_quotes_the_callback() {
    let otp = Otp::installed();
    let returns = otp.returns();
    let mut source = Source::new(&otp);
    let mut counts: Vec<(&Return, Count)> = Vec::new();
    let mut all = AllWrong::new();
    for of in &returns {
        let mut count = Count::default();
        let samples = Samples { otp: &otp, of };
        let mut wrong = near_misses(&samples, &mut source, &mut count);
        let enums = other_enums(of, &returns);
        count.wrong.insert(Kind::Enum, enums.len());
        wrong.extend(enums);
        counts.push((of, count));
        all.insert((&of.behaviour, &of.name), wrong);
    }
    let written = write(&mut source, &returns, &all);
    let errors = scratch::check("wrong", &source.finish());
    let findings: Vec<String> = written
        .iter()
        .filter_map(|(line, wrong)| finding(wrong, errors.get(line)))
        .collect();
    let (found, of) = (findings.len(), written.len());
    assert!(
        findings.is_empty(),
        "{found} of {of}\n{}",
        findings.join("\n")
    );
    let converted = written.values().filter(|wrong| wrong.converted).count();
    report(&counts, written.len(), converted);
}

/// Near misses of each trait, by behaviour and name.
type AllWrong<'r> = BTreeMap<(&'r str, &'r str), Vec<Wrong<'r>>>;

/// Returns the enums of the behaviour's other callbacks.
fn other_enums<'r>(of: &'r Return, returns: &'r [Return]) -> Vec<Wrong<'r>> {
    let others = returns.iter().filter(|other| {
        let both = of.is_enum && other.is_enum;
        both && other.behaviour == of.behaviour && other.name != of.name
    });
    let wrong = |other: &Return| Wrong {
        of,
        kind: Kind::Enum,
        expression: format!("value::<{}>()", other.value()),
        converted: false,
    };
    others.map(wrong).collect()
}

/// Writes every near miss as a function, and some in whole behaviours. Returns the line of each.
fn write<'w, 'r>(
    source: &mut Source<'_>,
    returns: &'r [Return],
    all: &'w AllWrong<'r>,
) -> BTreeMap<usize, &'w Wrong<'r>> {
    let mut written = BTreeMap::new();
    for wrong in all.values().flatten() {
        written.insert(source.function(wrong.of, &wrong.expression), wrong);
    }
    for number in 0..WHOLE {
        let returned = |of: &Return| {
            format!(
                "{} {{ {} }}",
                of.bound(),
                picked(all, of, number).expression
            )
        };
        for behaviour in whole::behaviours(returns, &format!("whole{number}"), returned) {
            let first = source.text(&behaviour.text);
            for (line, of) in &behaviour.callbacks {
                written.insert(first + line, picked(all, of, number));
            }
        }
    }
    written
}

/// Returns the near miss for the whole behaviours with this number.
fn picked<'w, 'r>(all: &'w AllWrong<'r>, of: &Return, number: usize) -> &'w Wrong<'r> {
    let mut found = all.iter();
    let wrong = found.find(|(key, _)| **key == (of.behaviour.as_str(), of.name.as_str()));
    let wrong = wrong.expect("every callback has near misses").1;
    let plain: Vec<&Wrong<'r>> = wrong.iter().filter(|wrong| !wrong.converted).collect();
    plain[number * plain.len() / WHOLE]
}

/// Returns the failure of a near miss: it compiles, or its message does not quote the callback.
fn finding(wrong: &Wrong<'_>, errors: Option<&Vec<String>>) -> Option<String> {
    let shown = format!(
        "{}: {:?}: {}",
        wrong.of.qualified, wrong.kind, wrong.expression
    );
    let Some(errors) = errors else {
        return Some(format!("{shown}\n  compiles"));
    };
    let quoted = errors.iter().any(|text| text.contains(&wrong.of.erlang));
    (!quoted && !wrong.converted).then(|| format!("{shown}\n  {}", errors.join("\n  ")))
}

/// Prints the counts, and checks that they are large enough.
#[allow(clippy::print_stdout, reason = "the figures are for who runs the test")]
fn report(counts: &[(&Return, Count)], written: usize, converted: usize) {
    let mut text = String::new();
    let mut sums = [0; 4];
    for (of, count) in counts {
        let wrong: usize = count.wrong.values().sum();
        let numbers = [count.clauses, count.values, wrong, count.legal];
        for (sum, number) in sums.iter_mut().zip(numbers) {
            *sum += number;
        }
        // Writing to a string cannot fail.
        _ = writeln!(
            text,
            "{} {}: {} clauses, {} values; {wrong} near misses refused {:?}, {} are legal",
            of.qualified, of.name, count.clauses, count.values, count.wrong, count.legal
        );
        assert!(wrong >= count.clauses, "{text}");
    }
    let [clauses, values, wrong, legal] = sums;
    println!(
        "{text}{} return traits: {clauses} clauses, {values} values; {wrong} near misses refused \
         ({written} with those in whole behaviours), {converted} of them by a conversion inside, the \
         others by the callback's own message; {legal} are legal",
        counts.len()
    );
    assert!(
        written > wrong && wrong > 20 * clauses && legal > 0,
        "{text}"
    );
}
