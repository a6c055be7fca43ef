//! The types of the benchmarks and goals that [`super::benchmarks`] lists.

/// A benchmark: a name in `tests/apps/bench/erlang/rounds.erl`, and the table rows of its values.
pub(super) struct Benchmark {
    pub(super) name: &'static str,
    /// The meaning of a value, for the page.
    pub(super) about: &'static str,
    pub(super) vm: Vm,
    pub(super) whole: Extent,
    pub(super) quick: Extent,
    pub(super) rows: &'static [Row],
}

/// The VM of the measurements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Vm {
    /// One scheduler, so that the time does not depend on the schedulers of the VM's processes.
    OneScheduler,
    TwoSchedulers,
    /// Two schedulers that sleep at once when they have no work.
    TwoWithoutSpin,
    /// A separate VM for each measurement, with one scheduler.
    OneEach,
}

/// The size of a measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extent {
    pub(super) rounds: u32,
    /// The size of a round, as a fraction of a round of a whole run.
    pub(super) scale: f64,
}

/// Two variants to compare.
pub(super) struct Row {
    /// The row's name in the table. Empty if the benchmark's name is enough.
    pub(super) label: &'static str,
    /// The case's name in the driver.
    pub(super) case: &'static str,
    /// The variant to compare with. `None`: the row is a single value.
    pub(super) reference: Option<&'static str>,
    pub(super) subject: &'static str,
    pub(super) unit: BenchmarkUnit,
    pub(super) goal: BenchmarkGoal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BenchmarkUnit {
    Nanoseconds,
    Bytes,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum BenchmarkGoal {
    None,
    /// At most this multiple of the reference.
    Ratio(f64),
    /// At most this value.
    Value(f64),
    /// At most the reference plus this value.
    Above(f64),
}

impl Benchmark {
    /// Returns all variants to measure, in the order of the rows.
    pub(super) fn variants(&self) -> Vec<&'static str> {
        let mut variants = Vec::new();
        for row in self.rows {
            for variant in row.reference.into_iter().chain([row.subject]) {
                if !variants.contains(&variant) {
                    variants.push(variant);
                }
            }
        }
        variants
    }
}

impl Row {
    pub(super) const fn labelled(mut self, label: &'static str) -> Row {
        self.label = label;
        self
    }

    /// Measures this variant instead of plain otp-rs.
    pub(super) const fn of(mut self, subject: &'static str) -> Row {
        self.subject = subject;
        self
    }

    pub(super) const fn in_bytes(mut self) -> Row {
        self.unit = BenchmarkUnit::Bytes;
        self
    }

    /// Removes the comparison.
    pub(super) const fn alone(mut self) -> Row {
        self.reference = None;
        self
    }
}
