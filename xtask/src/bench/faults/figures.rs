//! The results that clients saw.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::bench::statistics::Spread;

/// The counts of one run, or of several.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Figures {
    pub(super) right: u64,
    pub(super) wrong: u64,
    pub(super) late: u64,
    pub(super) told: u64,
    pub(super) lost: u64,
    /// Times in milliseconds.
    pub(super) recoveries: Vec<f64>,
    /// The largest memory of the program, in bytes.
    pub(super) peak: u64,
}

impl Figures {
    /// Parses the lines `key=value` of a program.
    pub(super) fn read(printed: &str) -> Option<Self> {
        let pairs: BTreeMap<&str, &str> = printed
            .lines()
            .filter_map(|line| line.split_once('='))
            .collect();
        let number = |key: &str| pairs.get(key)?.parse::<u64>().ok();
        let recoveries = pairs.get("recoveries_us")?.split(',');
        let recoveries = recoveries.filter(|word| !word.is_empty());
        let milliseconds = |word: &str| Some(word.parse::<f64>().ok()? / 1e3);
        Some(Figures {
            right: number("right")?,
            wrong: number("wrong")?,
            late: number("late")?,
            told: number("told")?,
            lost: number("lost")?,
            recoveries: recoveries.map(milliseconds).collect::<Option<_>>()?,
            peak: number("peak_bytes")?,
        })
    }

    pub(super) fn calls(&self) -> u64 {
        self.right + self.wrong + self.late + self.told + self.lost
    }

    pub(super) fn recovery(&self) -> Option<Spread> {
        Spread::of(self.recoveries.clone())
    }

    pub(super) fn longest(&self) -> Option<f64> {
        self.recoveries.iter().copied().reduce(f64::max)
    }
}

/// The figures of all runs.
#[derive(Debug, Default)]
pub(super) struct Results(BTreeMap<(&'static str, &'static str), Vec<Figures>>);

impl Results {
    pub(super) fn add(&mut self, scenario: &'static str, contestant: &'static str, it: Figures) {
        self.0.entry((scenario, contestant)).or_default().push(it);
    }

    /// Returns the sums of all rounds, all recoveries, and the largest memory.
    pub(super) fn of(&self, scenario: &'static str, contestant: &'static str) -> Option<Figures> {
        let mut sum = Figures::default();
        for it in self.0.get(&(scenario, contestant))? {
            sum.right += it.right;
            sum.wrong += it.wrong;
            sum.late += it.late;
            sum.told += it.told;
            sum.lost += it.lost;
            sum.recoveries.extend(&it.recoveries);
            sum.peak = sum.peak.max(it.peak);
        }
        Some(sum)
    }

    /// Returns a line for each run.
    pub(super) fn csv(&self) -> String {
        let mut text = String::from(
            "scenario,contestant,round,right,wrong,late,told,lost,recoveries,median recovery in ms,longest recovery in ms,peak bytes\n",
        );
        for ((scenario, contestant), rounds) in &self.0 {
            for (round, it) in (1..).zip(rounds) {
                let median = it.recovery().map_or(f64::NAN, |spread| spread.median);
                let longest = it.longest().unwrap_or(f64::NAN);
                let Figures {
                    right,
                    wrong,
                    late,
                    told,
                    lost,
                    recoveries,
                    peak,
                } = it;
                // Writing to a `String` never fails.
                let _ = writeln!(
                    text,
                    "{scenario},{contestant},{round},{right},{wrong},{late},{told},{lost},{},{median:.3},{longest:.3},{peak}",
                    recoveries.len()
                );
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "=CRASH REPORT====\nright=7\nwrong=0\nlate=1\ntold=2\nlost=0\nrecoveries_us=1000,3000\npeak_bytes=4096\n";

    #[test]
    fn figures_are_read_among_other_lines() {
        let figures = Figures::read(PRINTED).unwrap();
        assert_eq!((figures.calls(), figures.longest()), (10, Some(3.0)));
        assert_eq!(figures.recovery().unwrap().median, 2.0);
        assert_eq!(Figures::read("right=7"), None);
    }

    #[test]
    fn rounds_are_added_up() {
        let mut results = Results::default();
        for _ in 0..2 {
            results.add("restart", "actix", Figures::read(PRINTED).unwrap());
        }
        let sum = results.of("restart", "actix").unwrap();
        assert_eq!((sum.calls(), sum.recoveries.len(), sum.peak), (20, 4, 4096));
        assert_eq!(results.csv().lines().count(), 3);
    }
}
