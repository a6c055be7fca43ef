//! `cargo xtask bench savina` and `cargo xtask bench tasks`: compare actors of otp-rs with Erlang's
//! processes, with actors of other Rust frameworks, and with threads.
//!
//! The benchmark starts a separate program for each figure. In a round, each contestant runs each
//! program once with each of its parameters. The order changes from round to round.

mod contestants;
mod goals;
pub(in crate::bench) mod options;
mod page;
mod plot;
mod programs;
pub(in crate::bench) mod progress;
mod samples;

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use super::machine::{self, Machine};
use crate::erlang;
use crate::step::{Outcome, heading, root, say};

use contestants::ActorContestants;
use options::ActorOptions;
use programs::{Evaluation, SAVINA, TASKS};
use progress::Progress;
use samples::ActorSamples;

/// The folder of the pages, their tables and plots.
pub(in crate::bench) const FOLDER: &str = "docs/evaluation";

/// Runs Savina's micro benchmarks.
pub(crate) fn savina(words: &[&str]) -> Outcome {
    evaluate(&SAVINA, words)
}

/// Compares lightweight tasks with processes, threads, and the tasks of other frameworks.
pub(crate) fn tasks(words: &[&str]) -> Outcome {
    evaluate(&TASKS, words)
}

fn evaluate(evaluation: &Evaluation, words: &[&str]) -> Outcome {
    if words.contains(&"--help") {
        let names: Vec<&str> = evaluation.programs.iter().map(|it| it.name).collect();
        say(&ActorOptions::usage(evaluation.name, &names));
        return Ok(());
    }
    let options = ActorOptions::parse(evaluation, words)?;
    erlang::to_run()?;
    heading("Build, optimised");
    let contestants = ActorContestants::build(evaluation)?;
    heading("Measure");
    let start = Instant::now();
    let machine = Machine::look()?;
    machine.say();
    let samples = measure(evaluation, &options, &contestants)?;
    let after = machine::load();
    heading("Results");
    let page = page::text(evaluation, &options, &samples);
    say(&page);
    say(&format!(
        "\nload afterwards: {after}; {:.0?} in all\n",
        start.elapsed()
    ));
    if options.write {
        let about = page::about(evaluation, &machine, &after, options.rounds);
        write(evaluation, &options, &samples, &format!("{about}{page}"))?;
    }
    Ok(())
}

fn measure(
    evaluation: &Evaluation,
    options: &ActorOptions,
    contestants: &ActorContestants,
) -> Outcome<ActorSamples> {
    let mut samples = ActorSamples::default();
    let runs = options.runs(evaluation);
    let mut progress = Progress::of(runs.len() * options.rounds);
    for round in 0..options.rounds {
        for index in 0..runs.len() {
            // Each round starts at another run, so that no run is always the first.
            let run = &runs[(index + round * 5) % runs.len()];
            progress.step(&format!(
                "{} {} {}",
                run.contestant, run.program.name, run.x
            ));
            let figure = contestants.run(run)?;
            samples.add(run, figure);
        }
    }
    progress.end();
    Ok(samples)
}

/// Writes the page, all figures and the plots.
fn write(
    evaluation: &Evaluation,
    options: &ActorOptions,
    samples: &ActorSamples,
    page: &str,
) -> Outcome {
    let folder = root().join(FOLDER);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let file = |name: &str| -> PathBuf { folder.join(name) };
    let save = |path: PathBuf, text: &str| {
        let saved = fs::write(&path, text);
        saved.map_err(|error| format!("{}: {error}", path.display()))
    };
    save(file(&format!("{}.md", evaluation.name)), page)?;
    save(file(&format!("{}.csv", evaluation.name)), &samples.csv())?;
    for program in options.programs(evaluation) {
        plot::write(evaluation, program, samples, &folder)?;
    }
    say(&format!("{FOLDER} has the results\n"));
    Ok(())
}
