//! The measurements of a benchmark.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::goals::Goal;
use super::programs::{Program, Run, Unit};
use crate::bench::statistics::Spread;

/// Figures of programs: in nanoseconds or bytes, one for each round.
#[derive(Debug, Default)]
pub(super) struct ActorSamples(BTreeMap<(&'static str, &'static str, u64), Vec<f64>>);

impl ActorSamples {
    pub(super) fn add(&mut self, run: &Run, figure: f64) {
        let key = (run.program.name, run.contestant, run.x);
        self.0.entry(key).or_default().push(figure);
    }

    fn of(&self, program: &Program, contestant: &'static str, x: u64) -> &[f64] {
        let figures = self.0.get(&(program.name, contestant, x));
        figures.map_or(&[], Vec::as_slice)
    }

    /// Returns the mean of all rounds, in the program's unit.
    pub(super) fn mean(&self, program: &Program, contestant: &'static str, x: u64) -> Option<f64> {
        let figures = self.of(program, contestant, x);
        let mean = figures.iter().sum::<f64>() / figures.len() as f64;
        (!figures.is_empty()).then(|| program.unit.of(mean))
    }

    /// Returns the median and the quartiles, in the program's unit.
    pub(super) fn spread(
        &self,
        program: &Program,
        contestant: &'static str,
        x: u64,
    ) -> Option<Spread> {
        let figures = self.of(program, contestant, x).iter();
        Spread::of(figures.map(|figure| program.unit.of(*figure)).collect())
    }

    /// Returns the ratio of a contestant's time or memory to another contestant's, by the medians.
    pub(super) fn ratio(
        &self,
        program: &Program,
        own: &'static str,
        other: &'static str,
        x: u64,
    ) -> Option<f64> {
        let median = |it| Some(self.spread(program, it, x)?.median);
        Some(median(own)? / median(other)?)
    }

    /// Returns the cost of each additional one: the slope of the least-squares line through all
    /// figures, in nanoseconds or bytes.
    pub(super) fn slope(&self, program: &Program, contestant: &'static str) -> Option<f64> {
        let points = self
            .0
            .iter()
            .filter(|((of, by, _), _)| (*of, *by) == (program.name, contestant));
        let points: Vec<(f64, f64)> = points
            .flat_map(|((_, _, x), figures)| figures.iter().map(|figure| (*x as f64, *figure)))
            .collect();
        let number = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / number;
        let (x, y) = (mean(|point| point.0), mean(|point| point.1));
        let together: f64 = points
            .iter()
            .map(|point| (point.0 - x) * (point.1 - y))
            .sum();
        let alone: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
        (alone > 0.0).then(|| together / alone)
    }

    /// Returns all figures.
    pub(super) fn csv(&self) -> String {
        let mut text = String::from("program,contestant,parameter,round,nanoseconds or bytes\n");
        for ((program, contestant, x), figures) in &self.0 {
            for (round, figure) in (1..).zip(figures) {
                // Writing to a `String` never fails.
                let _ = writeln!(text, "{program},{contestant},{x},{round},{figure}");
            }
        }
        text
    }
}

impl Goal {
    /// Returns a sentence, if both contestants have been measured.
    pub(super) fn judged(
        &self,
        program: &'static Program,
        x: u64,
        samples: &ActorSamples,
    ) -> Option<String> {
        let (goal, figure, at_most) = match *self {
            Goal::Beside(own, at_most, other) => {
                let ratio = samples.ratio(program, own, other, x)?;
                (format!("{own} ≤ {at_most} × {other}"), ratio, at_most)
            }
            Goal::Each(own, at_most) => {
                let unit = program.unit.each()?;
                let goal = format!("{own} ≤ {at_most} {unit} each");
                (goal, samples.slope(program, own)?, at_most)
            }
        };
        let verdict = if figure <= at_most { "met" } else { "missed" };
        let digits = if figure < 10.0 { 3 } else { 0 };
        Some(format!("{goal}: {verdict} ({figure:.digits$})"))
    }
}

impl Unit {
    fn of(self, figure: f64) -> f64 {
        match self {
            // The figures are in nanoseconds or in bytes.
            Unit::Milliseconds | Unit::Latency | Unit::Megabytes => figure / 1e6,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Unit::Milliseconds | Unit::Latency => "ms",
            Unit::Megabytes => "MB",
        }
    }

    /// Returns the unit of a slope.
    pub(super) fn each(self) -> Option<&'static str> {
        match self {
            Unit::Milliseconds => Some("ns"),
            Unit::Latency => None,
            Unit::Megabytes => Some("bytes"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::programs::SAVINA;
    use super::*;

    #[test]
    fn a_slope_is_what_one_more_costs() {
        let mut samples = ActorSamples::default();
        let program = &SAVINA.programs[0];
        for (x, figure) in [(10, 1_030.0), (20, 1_060.0), (30, 1_090.0)] {
            let contestant = "erlang";
            let run = Run {
                program,
                contestant,
                x,
            };
            samples.add(&run, figure - 1.0);
            samples.add(&run, figure + 1.0);
        }
        let slope = samples.slope(program, "erlang").unwrap();
        assert!((slope - 3.0).abs() < 1e-9, "{slope}");
        assert_eq!(samples.slope(program, "actix"), None);
        assert_eq!(samples.mean(program, "erlang", 20), Some(1_060.0 / 1e6));
        assert_eq!(samples.csv().lines().count(), 7);
    }
}
