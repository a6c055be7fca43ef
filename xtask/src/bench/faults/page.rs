//! The page of the results.

use std::fmt::Write as _;

use super::figures::Results;
use super::lines;
use super::scenarios::{CONTESTANTS, SCENARIOS, Scenario};
use crate::bench::actors::options::ActorOptions;
use crate::bench::machine::Machine;
use crate::step::Outcome;

/// Returns the beginning of the page.
pub(super) fn about(machine: &Machine, after: &str, rounds: usize) -> String {
    let Machine {
        cores,
        processor,
        otp,
        load,
    } = machine;
    format!(
        "# Faults, measured

Written by `cargo xtask bench faults --write`. {processor}, {cores} cores, OTP {otp}; load before: {load}, after: {after}.

Eight clients make 100,000 calls. Every framework gets the faults at the same calls. A call is *right* or
*wrong* if its answer came within 250 ms, and *late* if it came after that. A call counts under *error* if the
client got an error instead, and as *lost* if nothing came for 2 s. A client gives up after ten lost calls in a
row. Recovery is the time from a faulty call to the next right answer that its client gets.

Figures are sums over {rounds} rounds. In each round, each program runs once, in another order;
[faults.csv](faults.csv) has all runs, with the errors as `told`. Lines of code exclude comments and blank
lines. The programs are in [examples/faults](../../examples/faults) and [peers](../../peers/src/faults).

![Recovery](faults_recovery.svg)

![Lines of code](faults_lines.svg)
"
    )
}

/// Describes each scenario, and returns the table.
pub(super) fn text(options: &ActorOptions, results: &Results) -> Outcome<String> {
    let scenarios = || SCENARIOS.iter().filter(|it| options.has(it.name));
    let mut text = String::new();
    for Scenario {
        name,
        title,
        about,
        notes,
        ..
    } in scenarios()
    {
        // Writing to a `String` never fails.
        let _ = writeln!(text, "\n**{title}** (`{name}`). {about} {notes}");
    }
    text.push_str("\n| | lines | right | wrong | late | error | lost | recovery: median, longest (ms) | peak memory (MB) |\n");
    text.push_str("|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for scenario in scenarios() {
        rows(scenario, results, &mut text)?;
    }
    Ok(text)
}

/// Adds the rows of a scenario.
fn rows(scenario: &Scenario, results: &Results, text: &mut String) -> Outcome {
    let name = scenario.name;
    for who in CONTESTANTS.iter().filter(|who| scenario.has(who)) {
        let Some(figures) = results.of(name, who) else {
            let _ = writeln!(text, "| {name}: {who} | not measured | | | | | | | |");
            continue;
        };
        let median = figures.recovery().map(|spread| spread.median);
        let _ = writeln!(
            text,
            "| {name}: {who} | {} | {} | {} | {} | {} | {} | {}, {} | {:.0} |",
            lines::of(scenario, who)?,
            figures.right,
            figures.wrong,
            figures.late,
            figures.told,
            figures.lost,
            milliseconds(median),
            milliseconds(figures.longest()),
            figures.peak as f64 / 1e6,
        );
    }
    Ok(())
}

fn milliseconds(time: Option<f64>) -> String {
    time.map_or("–".to_owned(), |time| format!("{time:.1}"))
}

#[cfg(test)]
mod tests {
    use super::super::figures::Figures;
    use super::*;

    #[test]
    fn a_section_has_a_row_for_everybody() {
        let mut results = Results::default();
        let printed =
            "right=7\nwrong=0\nlate=1\ntold=2\nlost=0\nrecoveries_us=1000,3000\npeak_bytes=4000000";
        results.add("restart", "actix", Figures::read(printed).unwrap());
        let options = ActorOptions::read("faults", &["restart"], &["--only", "restart"]).unwrap();
        let text = text(&options, &results).unwrap();
        assert!(
            text.contains("| 7 | 0 | 1 | 2 | 0 | 2.0, 3.0 | 4 |"),
            "{text}"
        );
        assert!(
            text.contains("| restart: otp-rs | not measured |"),
            "{text}"
        );
    }
}
