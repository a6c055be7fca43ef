//! The form of what is measured, and of what is aimed at: [`super::benchmarks`] has it.

/// A benchmark: a name of `tests/apps/bench/erlang/rounds.erl`, and the rows that its values make.
pub(super) struct Benchmark {
    pub(super) name: &'static str,
    /// What one value is, for the page.
    pub(super) about: &'static str,
    pub(super) vm: Vm,
    pub(super) whole: Extent,
    pub(super) quick: Extent,
    pub(super) rows: &'static [Row],
}

/// The VM that measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Vm {
    /// One scheduler: what is measured is not where the VM has put its processes.
    OneScheduler,
    TwoSchedulers,
    /// The same, and a scheduler without work sleeps at once.
    TwoWithoutSpin,
    /// A VM for each single measurement, with one scheduler.
    OneEach,
}

/// How much is measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extent {
    pub(super) rounds: u32,
    /// The share of what a round of a whole run measures.
    pub(super) scale: f64,
}

/// Two variants beside each other.
pub(super) struct Row {
    /// What the table calls it; nothing where the benchmark's name says it.
    pub(super) label: &'static str,
    /// What the driver calls it.
    pub(super) case: &'static str,
    /// What it is beside; a value of its own without.
    pub(super) reference: Option<&'static str>,
    pub(super) subject: &'static str,
    pub(super) unit: Unit,
    pub(super) goal: Goal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Nanoseconds,
    Bytes,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Goal {
    None,
    /// So many times the reference at most.
    Ratio(f64),
    /// Not more than this.
    Value(f64),
    /// Not more than the reference and this.
    Above(f64),
}

impl Benchmark {
    /// Everything that is measured, in the order of the rows.
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

    /// Not otp-rs as it is, but this variant.
    pub(super) const fn of(mut self, subject: &'static str) -> Row {
        self.subject = subject;
        self
    }

    pub(super) const fn in_bytes(mut self) -> Row {
        self.unit = Unit::Bytes;
        self
    }

    /// Beside nothing.
    pub(super) const fn alone(mut self) -> Row {
        self.reference = None;
        self
    }
}
