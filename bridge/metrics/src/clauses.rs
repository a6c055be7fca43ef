//! Counts the calls of clauses.
//!
//! A clause has one entry in a table, which is found by the clause's address without a lock. If
//! the table is full, further clauses share an entry.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use otp_bridge::calls::{CallObserver, CallOutcome, ObservedCall};

use crate::histogram::{Histogram, SECONDS};
use crate::text::{MetricKind, OpenMetrics, number};

/// The number of entries of the table.
const MOST: usize = 2_048;

/// The number of entries in which a clause is looked for.
const PROBES: usize = 64;

/// The observer of this library's calls.
pub(crate) static CALLS: CallObserver = CallObserver::new(count);

static CLAUSES: Table<MOST> = Table::new();

fn count(call: &ObservedCall) {
    let name = || ClauseName {
        module: call.module,
        callback: format!("{}/{}", call.callback, call.arity),
        message: call.message,
    };
    CLAUSES.entry(call.key, name).count(call.ran, call.ended);
}

/// Writes the metrics of all clauses.
pub(crate) fn write(text: &mut OpenMetrics) {
    CLAUSES.write(text);
}

/// The name of a clause, as labels show it.
#[derive(Debug, PartialEq, Eq)]
struct ClauseName {
    module: &'static str,
    callback: String,
    message: &'static str,
}

#[derive(Debug)]
struct ClauseMetrics {
    key: [usize; 3],
    name: ClauseName,
    /// How often it has ended with each of [`OUTCOMES`].
    ended: [AtomicU64; OUTCOMES.len()],
    durations: Histogram,
    /// The time on schedulers, in nanoseconds.
    ran: AtomicU64,
}

const OUTCOMES: [(CallOutcome, &str); 4] = [
    (CallOutcome::Returned, "returned"),
    (CallOutcome::Raised, "raised"),
    (CallOutcome::Panicked, "panicked"),
    (CallOutcome::Refused, "refused"),
];

impl ClauseMetrics {
    fn new(key: [usize; 3], name: ClauseName) -> Self {
        ClauseMetrics {
            key,
            name,
            ended: [const { AtomicU64::new(0) }; OUTCOMES.len()],
            durations: Histogram::new(SECONDS),
            ran: AtomicU64::new(0),
        }
    }

    fn count(&self, ran: Duration, ended: Option<(CallOutcome, Duration)>) {
        let ran = u64::try_from(ran.as_nanos()).unwrap_or(u64::MAX);
        self.ran.fetch_add(ran, Ordering::Relaxed);
        if let Some((outcome, duration)) = ended {
            let mut outcomes = OUTCOMES.iter();
            if let Some(index) = outcomes.position(|(known, _)| *known == outcome) {
                self.ended[index].fetch_add(1, Ordering::Relaxed);
            }
            self.durations.record(duration.as_secs_f64());
        }
    }

    fn labels(&self) -> [(&str, &str); 3] {
        let ClauseName {
            module,
            callback,
            message,
        } = &self.name;
        [
            ("module", module),
            ("callback", callback),
            ("message", message),
        ]
    }
}

/// Mixes addresses, whose lowest bits are mostly zero.
fn hash(key: [usize; 3]) -> usize {
    let mixed = key.into_iter().fold(0_usize, |hash, address| {
        (hash.rotate_left(5) ^ address).wrapping_mul(0x9E37_79B9)
    });
    mixed >> 12
}

/// A hash table with open addressing. Entries are never removed.
struct Table<const SIZE: usize> {
    places: [OnceLock<Box<ClauseMetrics>>; SIZE],
    others: OnceLock<Box<ClauseMetrics>>,
}

impl<const SIZE: usize> Table<SIZE> {
    const fn new() -> Self {
        Table {
            places: [const { OnceLock::new() }; SIZE],
            others: OnceLock::new(),
        }
    }

    /// Returns the entry of the clause.
    fn entry(&self, key: [usize; 3], name: impl Fn() -> ClauseName) -> &ClauseMetrics {
        let (before, after) = self.places.split_at(hash(key) % SIZE);
        let places = after.iter().chain(before).take(PROBES);
        let new = || Box::new(ClauseMetrics::new(key, name()));
        let mut entries = places.map(|place| place.get_or_init(new));
        match entries.find(|entry| entry.key == key) {
            Some(entry) => entry,
            None => self.others.get_or_init(|| {
                let name = ClauseName {
                    module: "other",
                    callback: "other".to_owned(),
                    message: "",
                };
                Box::new(ClauseMetrics::new([0; 3], name))
            }),
        }
    }

    fn write(&self, text: &mut OpenMetrics) {
        let places = self.places.iter().chain([&self.others]);
        let mut all: Vec<&ClauseMetrics> = places
            .filter_map(|place| place.get())
            .map(|it| &**it)
            .collect();
        all.sort_by_key(|entry| entry.labels());
        let (name, help) = ("otp_rs_callbacks", "Callbacks that have ended.");
        text.metric(name, MetricKind::Counter, help);
        for entry in &all {
            for ((_, outcome), count) in OUTCOMES.iter().zip(&entry.ended) {
                let labels = [&entry.labels()[..], &[("outcome", outcome)]].concat();
                text.counter(name, &labels, count.load(Ordering::Relaxed));
            }
        }
        let name = "otp_rs_callback_duration_seconds";
        let help = "Time from the start of a callback to its end, with the time that it waits.";
        text.metric(name, MetricKind::Histogram, help);
        for entry in &all {
            text.histogram(name, &entry.labels(), &entry.durations);
        }
        let name = "otp_rs_run_seconds";
        let help = "Time that clauses and tasks have held a scheduler.";
        text.metric(name, MetricKind::Counter, help);
        for entry in &all {
            let nanoseconds = entry.ran.load(Ordering::Relaxed);
            let seconds = Duration::from_nanos(nanoseconds).as_secs_f64();
            text.counter(name, &entry.labels(), number(seconds));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(module: &'static str) -> ClauseName {
        ClauseName {
            module,
            callback: "handle_call/3".to_owned(),
            message: "Add",
        }
    }

    #[test]
    fn a_clause_has_one_entry_and_further_ones_share_one() {
        static TABLE: Table<2> = Table::new();
        let second = Duration::from_secs(1);
        let ended = Some((CallOutcome::Panicked, second));
        for (address, module) in [(8, "a"), (16, "b"), (24, "c"), (32, "d"), (8, "a")] {
            TABLE
                .entry([address; 3], || name(module))
                .count(second, ended);
        }
        TABLE.entry([8; 3], || name("a")).count(second, None);
        let mut text = OpenMetrics::default();
        TABLE.write(&mut text);
        let text = text.end();
        let labels = r#"callback="handle_call/3",message="Add""#;
        for expected in [
            format!(r#"otp_rs_callbacks_total{{module="a",{labels},outcome="panicked"}} 2"#),
            format!(r#"otp_rs_callbacks_total{{module="b",{labels},outcome="panicked"}} 1"#),
            r#"otp_rs_callbacks_total{module="other",callback="other",message="",outcome="panicked"} 2"#
                .to_owned(),
            format!(r#"otp_rs_run_seconds_total{{module="a",{labels}}} 3.0"#),
            format!(
                r#"otp_rs_callback_duration_seconds_bucket{{module="a",{labels},le="1.0"}} 2"#
            ),
        ] {
            assert!(text.lines().any(|line| line == expected), "{expected}\n{text}");
        }
    }
}
