//! `cargo xtask bench faults`: measures the effects on clients if processes panic, hang or are
//! lost, in otp-rs and in other frameworks. Also counts the lines of code that each solution takes.

mod contestants;
mod figures;
mod lines;
mod page;
mod plot;
mod scenarios;

use std::fs;

use super::actors::FOLDER;
use super::actors::options::ActorOptions;
use super::actors::progress::Progress;
use super::machine::{self, Machine};
use crate::erlang;
use crate::step::{Outcome, heading, root, say};

use contestants::FaultContestants;
use figures::Results;
use scenarios::{CONTESTANTS, SCENARIOS, Scenario};

pub(crate) fn faults(words: &[&str]) -> Outcome {
    let names: Vec<&str> = SCENARIOS.iter().map(|it| it.name).collect();
    if words.contains(&"--help") {
        say(&ActorOptions::usage("faults", &names));
        return Ok(());
    }
    let options = ActorOptions::read("faults", &names, words)?;
    erlang::to_run()?;
    heading("Build, optimised");
    let contestants = FaultContestants::build()?;
    heading("Measure");
    let machine = Machine::look()?;
    machine.say();
    let results = measure(&options, &contestants)?;
    let after = machine::load();
    heading("Results");
    let page = page::text(&options, &results)?;
    say(&page);
    if options.write {
        let about = page::about(&machine, &after, options.rounds);
        write(&results, &format!("{about}{page}"))?;
    }
    Ok(())
}

fn measure(options: &ActorOptions, contestants: &FaultContestants) -> Outcome<Results> {
    let mut runs: Vec<(&Scenario, &str)> = Vec::new();
    for scenario in SCENARIOS.iter().filter(|it| options.has(it.name)) {
        let who = CONTESTANTS.iter().filter(|who| scenario.has(who));
        runs.extend(who.map(|&who| (scenario, who)));
    }
    let mut results = Results::default();
    let mut progress = Progress::of(runs.len() * options.rounds);
    for round in 0..options.rounds {
        for index in 0..runs.len() {
            // Each round starts at another run, so that no run is always the first.
            let (scenario, who) = runs[(index + round * 3) % runs.len()];
            progress.step(&format!("{who} {}", scenario.name));
            let figures = contestants.run(scenario, who, scenario.load(options.quick))?;
            results.add(scenario.name, who, figures);
        }
    }
    progress.end();
    Ok(results)
}

/// Writes the page, all figures and the plots.
fn write(results: &Results, page: &str) -> Outcome {
    let folder = root().join(FOLDER);
    let problem = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(problem)?;
    fs::write(folder.join("faults.md"), page).map_err(problem)?;
    fs::write(folder.join("faults.csv"), results.csv()).map_err(problem)?;
    plot::recovery(results, &folder)?;
    plot::lines_of_code(&folder)?;
    say(&format!("{FOLDER} has the results\n"));
    Ok(())
}
