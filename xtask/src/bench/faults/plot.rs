//! The plots: the scenarios from left to right, with a bar for each contestant.

use std::path::Path;

use super::figures::Results;
use super::lines;
use super::scenarios::{CONTESTANTS, SCENARIOS, Scenario};
use crate::bench::bars::{Axis, Bar, BarChart};
use crate::step::Outcome;

/// Plots the time from a fault to the next correct answer: the median, and a line up to the
/// longest.
pub(super) fn recovery(results: &Results, folder: &Path) -> Outcome {
    let bars = |scenario: &Scenario, who| {
        let figures = results.of(scenario.name, who)?;
        Some((figures.recovery()?.median, figures.longest()?))
    };
    let title = "From a fault to the next right answer: median (bar) and longest (line), ms";
    chart(title, Axis::Logarithmic).write(&folder.join("faults_recovery.svg"), &self::bars(bars))
}

pub(super) fn lines_of_code(folder: &Path) -> Outcome {
    let bars = |scenario: &Scenario, who: &str| {
        let lines = scenario.has(who).then(|| lines::of(scenario, who).ok())??;
        Some((lines as f64, lines as f64))
    };
    let chart = chart("Lines of code", Axis::Linear(0));
    chart.write(&folder.join("faults_lines.svg"), &self::bars(bars))
}

fn chart(title: &str, axis: Axis) -> BarChart<'_> {
    BarChart {
        title,
        groups: SCENARIOS.iter().map(|it| it.name.to_owned()).collect(),
        contestants: CONTESTANTS,
        axis,
        line: None,
    }
}

/// Returns the bars of all contestants that have one.
fn bars(heights: impl Fn(&'static Scenario, &'static str) -> Option<(f64, f64)>) -> Vec<Bar> {
    let mut bars = Vec::new();
    for (group, it) in SCENARIOS.iter().enumerate() {
        for (contestant, who) in CONTESTANTS.iter().enumerate() {
            bars.extend(heights(it, who).map(|(height, longest)| Bar {
                group,
                contestant,
                height,
                thin: [height, longest],
            }));
        }
    }
    bars
}
