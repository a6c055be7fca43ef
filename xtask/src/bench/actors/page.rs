//! The page of the results.

use std::fmt::Write as _;

use super::options::ActorOptions;
use super::programs::{Evaluation, Program, SAVINA};
use super::samples::ActorSamples;
use crate::bench::machine::Machine;

/// Returns the beginning of the page.
pub(super) fn about(
    evaluation: &Evaluation,
    machine: &Machine,
    after: &str,
    rounds: usize,
) -> String {
    let Machine {
        cores,
        processor,
        otp,
        load,
    } = machine;
    format!(
        "# {title}\n\n\
         Written by `cargo xtask bench {name} --write`. {processor}, {cores} cores, OTP {otp}; load before: {load}, after: {after}.\n\n\
         {rounds} rounds. [peers.md](peers.md) describes what is compared, and how it is measured{programs}.\n\
         The table has medians; [{name}.csv]({name}.csv) has all figures, and the plots show them.\n",
        programs = if evaluation.name == SAVINA.name {
            ""
        } else {
            "; [savina.md](savina.md) describes the programs"
        },
        title = evaluation.title,
        name = evaluation.name,
    )
}

/// Describes each program with its goals and its plot, and returns the table of all.
pub(super) fn text(
    evaluation: &Evaluation,
    options: &ActorOptions,
    samples: &ActorSamples,
) -> String {
    let mut text = String::new();
    for program in options.programs(evaluation) {
        let Program { name, title, .. } = program;
        let about = about_program(evaluation, program);
        let goals = goals(program, options.series(program), samples);
        // Writing to a `String` never fails.
        let _ = writeln!(
            text,
            "\n**{title}.**{about}{goals}\n\n![{title}]({page}_{name}.svg)",
            page = evaluation.name
        );
    }
    text.push('\n');
    let who = evaluation.contestants;
    row(&mut text, "", who.iter().map(|it| (*it).to_owned()));
    let _ = writeln!(text, "|{}", "--:|".repeat(who.len() + 1));
    for program in options.programs(evaluation) {
        rows(
            evaluation,
            program,
            options.series(program),
            samples,
            &mut text,
        );
    }
    text
}

/// Describes a program, on one page only.
fn about_program(evaluation: &Evaluation, program: &Program) -> String {
    let is_of_savina = SAVINA.programs.iter().any(|it| it.about == program.about);
    if is_of_savina && evaluation.name != SAVINA.name {
        String::new()
    } else {
        format!(" {}", program.about)
    }
}

/// Returns the rows of a program.
fn rows(
    evaluation: &Evaluation,
    program: &'static Program,
    series: &[u64],
    samples: &ActorSamples,
    text: &mut String,
) {
    let Program {
        title, axis, unit, ..
    } = program;
    let mut line = |label: &str, cell: &dyn Fn(&'static str) -> String| {
        let cells = evaluation.contestants.iter().map(|who| {
            if program.without.contains(who) {
                String::new()
            } else {
                cell(who)
            }
        });
        row(text, label, cells);
    };
    if let Some(&x) = series.last() {
        line(&format!("{title}: {x} {axis}, {}", unit.name()), &|who| {
            let spread = samples.spread(program, who, x);
            number(spread.map(|spread| spread.median))
        });
    }
    if let Some(each) = unit.each() {
        line(&format!("{each} for one more"), &|who| {
            number(samples.slope(program, who))
        });
    }
}

/// Checks the goals with the largest parameter.
fn goals(program: &'static Program, series: &[u64], samples: &ActorSamples) -> String {
    let Some(&x) = series.last() else {
        return String::new();
    };
    let goals = program.goals.iter();
    let judged: Vec<String> = goals
        .filter_map(|goal| goal.judged(program, x, samples))
        .collect();
    if judged.is_empty() {
        return String::new();
    }
    format!(" Goals: {}.", judged.join("; "))
}

fn row(text: &mut String, first: &str, cells: impl Iterator<Item = String>) {
    let cells: Vec<String> = cells.collect();
    let _ = writeln!(text, "| {first} | {} |", cells.join(" | "));
}

/// Formats a value with three significant digits.
fn number(value: Option<f64>) -> String {
    match value {
        None => String::new(),
        Some(value) if value.abs() >= 100.0 => format!("{value:.0}"),
        Some(value) if value.abs() >= 10.0 => format!("{value:.1}"),
        Some(value) => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::programs::{Run, SAVINA, Unit};
    use super::*;

    #[test]
    fn a_section_has_a_table_and_the_goals() {
        let mut samples = ActorSamples::default();
        let program = &SAVINA.programs[4];
        for (contestant, figure) in [("otp-rs", 3e6), ("erlang", 2e6)] {
            for x in [50, 100] {
                samples.add(
                    &Run {
                        program,
                        contestant,
                        x,
                    },
                    figure * x as f64,
                );
            }
        }
        let options = ActorOptions::parse(&SAVINA, &["--only", "big", "--quick"]).unwrap();
        let text = text(&SAVINA, &options, &samples);
        assert!(text.contains(", ms | 300 |  | 200 |"), "{text}");
        assert!(
            text.contains("Goals: otp-rs ≤ 1.05 × erlang: missed (1.500)."),
            "{text}"
        );
        assert_eq!(Unit::Megabytes.each(), Some("bytes"));
    }
}
