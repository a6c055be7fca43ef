//! The results as a table, for a terminal and for the page.

use std::iter;

use super::catalogue::{Benchmark, BenchmarkGoal, BenchmarkUnit, Row};
use crate::bench::machine::Machine;
use crate::bench::statistics::{Samples, Spread};

const COLUMNS: usize = 8;
const HEADER: [&str; COLUMNS] = [
    "benchmark",
    "",
    "beside",
    "its median",
    "otp-rs",
    "ratio, or more (quartiles)",
    "goal",
    "",
];

type Cells = [String; COLUMNS];

/// The rows, and the descriptions of the benchmarks.
#[derive(Default)]
pub(super) struct Table {
    rows: Vec<Cells>,
    about: Vec<(&'static str, &'static str)>,
}

impl Table {
    /// Adds the measured rows of a benchmark.
    pub(super) fn add(&mut self, benchmark: &Benchmark, samples: &Samples) {
        self.about.push((benchmark.name, benchmark.about));
        let rows = benchmark.rows.iter();
        self.rows
            .extend(rows.filter_map(|row| cells(benchmark.name, row, samples)));
    }

    /// Returns the table in aligned columns.
    pub(super) fn text(&self) -> String {
        let header = HEADER.map(str::to_owned);
        let all = || iter::once(&header).chain(&self.rows);
        let width = |column: usize| all().map(|row| row[column].chars().count()).max();
        let widths: [usize; COLUMNS] = std::array::from_fn(|column| width(column).unwrap_or(0));
        let line = |row: &Cells| {
            let cells = row.iter().zip(widths);
            let cells: Vec<String> = cells
                .map(|(cell, width)| format!("{cell:width$}"))
                .collect();
            format!("{}\n", cells.join("  ").trim_end())
        };
        all().map(line).collect()
    }

    /// Returns the rows of the page.
    fn pairs(&self) -> Vec<Cells> {
        let mut rows: Vec<Cells> = Vec::new();
        for row in &self.rows {
            match rows.last().and_then(|last| pair(last, row)) {
                Some(both) => *rows.last_mut().expect("it was there") = both,
                None => rows.push(row.clone()),
            }
        }
        rows
    }

    /// Returns the table in Markdown, with a description of the machine and of the benchmarks.
    pub(super) fn page(&self, machine: &Machine, load_after: &str) -> String {
        let Machine {
            cores,
            processor,
            otp,
            load,
        } = machine;
        let mut page = format!(
            "\nMeasured on: {processor}, {cores} cores, OTP {otp}; load averages {load} before, {load_after} after.\n\n"
        );
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let header = joined(&HEADER.map(str::to_owned));
        page += &line(&header);
        page += &format!("|{}\n", "---|".repeat(header.len()));
        page.extend(self.pairs().iter().map(|row| line(&joined(row))));
        page += "\n";
        let about = self.about.iter();
        page.extend(about.map(|(name, about)| format!("- `{name}`: {about}\n")));
        page
    }
}

/// Merges the row of the worst time and the row of 99 % of the times, if both belong to one case.
fn pair(worst: &Cells, most: &Cells) -> Option<Cells> {
    let [name, label, beside, .., goal, _] = worst;
    let case = label.strip_suffix("worst")?;
    let is_pair = most[0] == *name && most[1] == format!("{case}99 %") && most[2] == *beside;
    let both = |column: usize| match (&worst[column], &most[column]) {
        (one, other) if one == other => one.clone(),
        (one, other) => format!("{one}; {other}"),
    };
    is_pair.then(|| {
        let label = format!("{label}; 99 %");
        [
            name.clone(),
            label,
            beside.clone(),
            both(3),
            both(4),
            both(5),
            goal.clone(),
            both(7),
        ]
    })
}

/// Returns a row of the page. A benchmark shares a cell with its part, and a goal shares a cell
/// with its verdict.
fn joined(row: &Cells) -> [String; COLUMNS - 2] {
    let [name, label, beside, its, own, compared, goal, verdict] = row;
    let together = |one: &str, other: &str, between: &str| match other {
        "" => one.to_owned(),
        other => format!("{one}{between}{other}"),
    };
    [
        together(name, label, ", "),
        beside.clone(),
        its.clone(),
        own.clone(),
        compared.clone(),
        together(goal, verdict, " "),
    ]
}

/// Returns `None` if a part of the row was not measured.
fn cells(name: &str, row: &Row, samples: &Samples) -> Option<Cells> {
    let own = samples.median(row.case, row.subject)?;
    let beside = match row.reference {
        Some(reference) => Some(Beside::of(reference, row, samples)?),
        None => None,
    };
    let judged = match (&beside, row.goal) {
        (Some(beside), BenchmarkGoal::Ratio(_)) => beside.ratio.median,
        (Some(beside), BenchmarkGoal::Above(_)) => beside.more.median,
        _ => own,
    };
    let [beside, its, compared] = beside.map_or_else(Default::default, |it| it.cells(row));
    Some([
        name.to_owned(),
        row.label.to_owned(),
        beside,
        its,
        row.unit.show(own),
        compared,
        row.goal.show(row.unit),
        row.goal.verdict(judged).to_owned(),
    ])
}

/// A row's reference.
struct Beside {
    name: &'static str,
    median: f64,
    /// The ratio of the subject to the reference in the same round, and the difference.
    ratio: Spread,
    more: Spread,
}

impl Beside {
    fn of(reference: &'static str, row: &Row, samples: &Samples) -> Option<Self> {
        let pair = [reference, row.subject];
        Some(Beside {
            name: shown(reference),
            median: samples.median(row.case, reference)?,
            ratio: samples.pairs(row.case, pair, |reference, it| it / reference)?,
            more: samples.pairs(row.case, pair, |reference, it| it - reference)?,
        })
    }

    fn cells(self, row: &Row) -> [String; 3] {
        let compared = match row.goal {
            BenchmarkGoal::Above(_) => row.unit.show_more(self.more),
            _ => shown_ratio(self.ratio),
        };
        [self.name.to_owned(), row.unit.show(self.median), compared]
    }
}

/// Returns the displayed name of a variant.
fn shown(variant: &'static str) -> &'static str {
    match variant {
        "erlang" => "Erlang",
        "c" => "C",
        "rustler" | "rustler_owned" => "rustler's derive",
        "serde" => "rustler's serde",
        other => other,
    }
}

fn shown_ratio(Spread { low, median, high }: Spread) -> String {
    format!("{median:.2} ({low:.2}–{high:.2})")
}

impl BenchmarkGoal {
    fn verdict(self, value: f64) -> &'static str {
        match self {
            BenchmarkGoal::None => "",
            BenchmarkGoal::Ratio(most)
            | BenchmarkGoal::Value(most)
            | BenchmarkGoal::Above(most)
                if value <= most =>
            {
                "met"
            }
            BenchmarkGoal::Ratio(_) | BenchmarkGoal::Value(_) | BenchmarkGoal::Above(_) => "missed",
        }
    }

    fn show(self, unit: BenchmarkUnit) -> String {
        match self {
            BenchmarkGoal::None => String::new(),
            BenchmarkGoal::Ratio(most) => format!("≤ {most:.2}"),
            BenchmarkGoal::Value(most) => format!("≤ {}", unit.show(most)),
            BenchmarkGoal::Above(most) => format!("≤ +{}", unit.show(most)),
        }
    }
}

impl BenchmarkUnit {
    /// Formats the value with two to four digits.
    fn show(self, value: f64) -> String {
        match self {
            BenchmarkUnit::Bytes => format!("{value:.0} B"),
            BenchmarkUnit::Nanoseconds if value.abs() < 100.0 => format!("{value:.1} ns"),
            BenchmarkUnit::Nanoseconds if value.abs() < 10_000.0 => format!("{value:.0} ns"),
            BenchmarkUnit::Nanoseconds if value.abs() < 1e6 => format!("{:.0} µs", value / 1e3),
            BenchmarkUnit::Nanoseconds => format!("{:.1} ms", value / 1e6),
        }
    }

    /// Formats the difference from the reference.
    fn show_more(self, Spread { low, median, high }: Spread) -> String {
        let signed = |value: f64| {
            let sign = if value < 0.0 { '−' } else { '+' };
            format!("{sign}{}", self.show(value.abs()))
        };
        format!("{} ({} to {})", signed(median), signed(low), signed(high))
    }
}

#[cfg(test)]
mod tests {
    use super::super::catalogue::{Extent, Vm};
    use super::*;
    use crate::bench::statistics::Sample;

    const fn row(case: &'static str, reference: Option<&'static str>, goal: BenchmarkGoal) -> Row {
        Row {
            label: case,
            case,
            reference,
            subject: "otp-rs",
            unit: BenchmarkUnit::Nanoseconds,
            goal,
        }
    }

    const EXTENT: Extent = Extent {
        rounds: 1,
        scale: 1.0,
    };

    const BENCHMARK: Benchmark = Benchmark {
        name: "some",
        about: "what it is.",
        vm: Vm::OneScheduler,
        whole: EXTENT,
        quick: EXTENT,
        rows: &[
            row("cast", Some("erlang"), BenchmarkGoal::Ratio(1.05)),
            row("cast", Some("c"), BenchmarkGoal::None),
            row("worst", Some("idle"), BenchmarkGoal::Above(5e6)),
            row("99 %", Some("idle"), BenchmarkGoal::Above(5e6)),
            row("alone", None, BenchmarkGoal::Value(60.0)),
        ],
    };

    fn table() -> Table {
        let mut samples = Samples::default();
        for line in [
            "cast\terlang\t1\t500.0",
            "cast\totp-rs\t1\t650.0",
            "worst\tidle\t1\t1000000.0",
            "worst\totp-rs\t1\t3500000.0",
            "99 %\tidle\t1\t1000000.0",
            "99 %\totp-rs\t1\t7000000.0",
            "alone\totp-rs\t1\t55.5",
        ] {
            samples.add(Sample::read(line).unwrap());
        }
        let mut table = Table::default();
        table.add(&BENCHMARK, &samples);
        table
    }

    #[test]
    fn goals_are_met_or_missed_and_what_was_not_measured_is_left_out() {
        let text = table().text();
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let lines: Vec<String> = text.lines().skip(1).map(words).collect();
        assert_eq!(
            lines,
            [
                "some cast Erlang 500 ns 650 ns 1.30 (1.30–1.30) ≤ 1.05 missed",
                "some worst idle 1.0 ms 3.5 ms +2.5 ms (+2.5 ms to +2.5 ms) ≤ +5.0 ms met",
                "some 99 % idle 1.0 ms 7.0 ms +6.0 ms (+6.0 ms to +6.0 ms) ≤ +5.0 ms missed",
                "some alone 55.5 ns ≤ 60.0 ns met",
            ]
        );
    }

    #[test]
    fn the_page_names_the_machine() {
        let machine = Machine {
            cores: 2,
            processor: "P".to_owned(),
            otp: "25.2".to_owned(),
            load: "0.1 0.2 0.3".to_owned(),
        };
        let page = table().page(&machine, "1.0 0.4 0.3");
        let first = "\nMeasured on: P, 2 cores, OTP 25.2; load averages 0.1 0.2 0.3 before, 1.0 0.4 0.3 after.\n";
        let row = "| some, cast | Erlang | 500 ns | 650 ns | 1.30 (1.30–1.30) | ≤ 1.05 missed |\n";
        assert!(page.starts_with(first), "{page}");
        assert!(page.contains(row), "{page}");
        let pair = "| some, worst; 99 % | idle | 1.0 ms | 3.5 ms; 7.0 ms | +2.5 ms (+2.5 ms to +2.5 ms); \
                    +6.0 ms (+6.0 ms to +6.0 ms) | ≤ +5.0 ms met; missed |\n";
        assert!(page.contains(pair), "{page}");
        assert!(page.ends_with("- `some`: what it is.\n"), "{page}");
    }
}
