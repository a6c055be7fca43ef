//! The results as a table: for a terminal, and for the page.

use super::catalogue::{Benchmark, Goal, Row, Unit};
use super::machine::Machine;
use super::statistics::{Samples, Spread};

const HEADER: [&str; 8] = [
    "benchmark",
    "case",
    "beside",
    "its median",
    "otp-rs",
    "ratio (quartiles)",
    "goal",
    "",
];

/// Rows of cells.
#[derive(Default)]
pub(super) struct Table {
    rows: Vec<[String; 8]>,
    about: Vec<(&'static str, &'static str)>,
}

impl Table {
    /// The rows of a benchmark that were measured.
    pub(super) fn add(&mut self, benchmark: &Benchmark, samples: &Samples) {
        self.about.push((benchmark.name, benchmark.about));
        let rows = benchmark.rows.iter();
        self.rows
            .extend(rows.filter_map(|row| cells(benchmark.name, row, samples)));
    }

    /// In columns.
    pub(super) fn text(&self) -> String {
        let header = HEADER.map(str::to_owned);
        let all = || std::iter::once(&header).chain(&self.rows);
        let width = |column: usize| all().map(|row| row[column].chars().count()).max();
        let widths: [usize; 8] = std::array::from_fn(|column| width(column).unwrap_or(0));
        let line = |row: &[String; 8]| {
            let cells = row.iter().zip(widths);
            let cells: Vec<String> = cells
                .map(|(cell, width)| format!("{cell:width$}"))
                .collect();
            format!("{}\n", cells.join("  ").trim_end())
        };
        all().map(line).collect()
    }

    /// In Markdown, with what it was measured on and what is measured.
    pub(super) fn page(&self, machine: &Machine, load_after: &str) -> String {
        let Machine {
            cores,
            processor,
            otp,
            load,
        } = machine;
        let mut page = format!(
            "Measured on: {processor}, {cores} cores, OTP {otp}; load averages {load} before, {load_after} after.\n\n"
        );
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        page += &line(&HEADER.map(str::to_owned));
        page += &line(&HEADER.map(|_| "---".to_owned()));
        page.extend(self.rows.iter().map(|row| line(row)));
        page += "\n";
        page.extend(
            self.about
                .iter()
                .map(|(name, about)| format!("- `{name}`: {about}\n")),
        );
        page
    }
}

/// `None` where one of the two was not measured.
fn cells(name: &str, row: &Row, samples: &Samples) -> Option<[String; 8]> {
    let own = samples.median(row.case, row.subject)?;
    let (beside, its, compared, is_met) = match row.reference {
        None => (
            String::new(),
            String::new(),
            String::new(),
            row.goal.is_met_by(own),
        ),
        Some(reference) => {
            let pair = [reference, row.subject];
            let ratio = samples.pairs(row.case, pair, |reference, it| it / reference)?;
            let more = samples.pairs(row.case, pair, |reference, it| it - reference)?;
            let its = row.unit.show(samples.median(row.case, reference)?);
            let (compared, judged) = match row.goal {
                Goal::None | Goal::Ratio(_) => (shown_ratio(ratio), ratio.median),
                Goal::Value(_) => (shown_ratio(ratio), own),
                Goal::Above(_) => (row.unit.show_more(more), more.median),
            };
            (
                reference.to_owned(),
                its,
                compared,
                row.goal.is_met_by(judged),
            )
        }
    };
    let verdict = match is_met {
        None => "",
        Some(true) => "met",
        Some(false) => "missed",
    };
    let case = if row.case == name { "" } else { row.case };
    Some([
        name.to_owned(),
        case.to_owned(),
        beside,
        its,
        row.unit.show(own),
        compared,
        row.goal.show(row.unit),
        verdict.to_owned(),
    ])
}

fn shown_ratio(Spread { low, median, high }: Spread) -> String {
    format!("{median:.2} ({low:.2}–{high:.2})")
}

impl Goal {
    fn is_met_by(self, value: f64) -> Option<bool> {
        match self {
            Goal::None => None,
            Goal::Ratio(most) | Goal::Value(most) | Goal::Above(most) => Some(value <= most),
        }
    }

    fn show(self, unit: Unit) -> String {
        match self {
            Goal::None => String::new(),
            Goal::Ratio(most) => format!("≤ {most:.2}"),
            Goal::Value(most) => format!("≤ {}", unit.show(most)),
            Goal::Above(most) => format!("≤ + {}", unit.show(most)),
        }
    }
}

impl Unit {
    /// With three or four digits.
    fn show(self, value: f64) -> String {
        match self {
            Unit::Bytes => format!("{value:.0} B"),
            Unit::Nanoseconds if value.abs() < 100.0 => format!("{value:.1} ns"),
            Unit::Nanoseconds if value.abs() < 10_000.0 => format!("{value:.0} ns"),
            Unit::Nanoseconds if value.abs() < 1e6 => format!("{:.1} µs", value / 1e3),
            Unit::Nanoseconds => format!("{:.1} ms", value / 1e6),
        }
    }

    /// How much more than the reference.
    fn show_more(self, Spread { low, median, high }: Spread) -> String {
        let [low, median, high] = [low, median, high].map(|value| self.show(value));
        format!("+ {median} ({low}–{high})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &[Row] = &[
        Row {
            case: "cast",
            reference: Some("erlang"),
            subject: "otp-rs",
            unit: Unit::Nanoseconds,
            goal: Goal::Ratio(1.05),
        },
        Row {
            case: "cast",
            reference: Some("c"),
            subject: "otp-rs",
            unit: Unit::Nanoseconds,
            goal: Goal::None,
        },
        Row {
            case: "worst",
            reference: Some("idle"),
            subject: "dirty",
            unit: Unit::Nanoseconds,
            goal: Goal::Above(5e6),
        },
        Row {
            case: "alone",
            reference: None,
            subject: "otp-rs",
            unit: Unit::Nanoseconds,
            goal: Goal::Value(60.0),
        },
    ];

    const BENCHMARK: Benchmark = Benchmark {
        name: "cast",
        about: "one cast",
        vm: &[],
        rounds: [1, 1],
        rows: ROWS,
    };

    fn table() -> Table {
        let mut samples = Samples::default();
        for line in [
            "cast\terlang\t1\t500.0",
            "cast\totp-rs\t1\t650.0",
            "worst\tidle\t1\t1000000.0",
            "worst\tdirty\t1\t3500000.0",
            "alone\totp-rs\t1\t55.5",
        ] {
            samples.add(line);
        }
        let mut table = Table::default();
        table.add(&BENCHMARK, &samples);
        table
    }

    #[test]
    fn goals_are_met_or_missed_and_what_was_not_measured_is_left_out() {
        let text = table().text();
        let lines: Vec<&str> = text.lines().collect();
        let columns = |line: &str| {
            line.split("  ")
                .map(str::trim)
                .filter(|cell| !cell.is_empty())
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(lines.len(), 4, "{text}");
        assert_eq!(
            columns(lines[1]),
            [
                "cast",
                "erlang",
                "500 ns",
                "650 ns",
                "1.30 (1.30–1.30)",
                "≤ 1.05",
                "missed"
            ]
        );
        assert_eq!(
            columns(lines[2]),
            [
                "cast",
                "worst",
                "idle",
                "1.0 ms",
                "3.5 ms",
                "+ 2.5 ms (2.5 ms–2.5 ms)",
                "≤ + 5.0 ms",
                "met"
            ]
        );
        assert_eq!(
            columns(lines[3]),
            ["cast", "alone", "55.5 ns", "≤ 60.0 ns", "met"]
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
        assert!(page.starts_with("Measured on: P, 2 cores, OTP 25.2; load averages 0.1 0.2 0.3 before, 1.0 0.4 0.3 after.\n"), "{page}");
        assert!(
            page.contains(
                "| cast |  | erlang | 500 ns | 650 ns | 1.30 (1.30–1.30) | ≤ 1.05 | missed |\n"
            ),
            "{page}"
        );
        assert!(page.ends_with("- `cast`: one cast\n"), "{page}");
    }
}
