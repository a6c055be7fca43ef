//! The report about a schedule that fails.

use std::fmt;

use super::shrink::ShortSchedule;

/// Schedules that have all passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explored {
    /// The number of schedules that have run.
    pub schedules: u64,
    /// Whether these are all schedules of the program.
    pub is_complete: bool,
}

/// A schedule that fails: its seed, and the shortest schedule that fails for the same reason.
///
/// `Display` shows the events of the shortest schedule in their order.
#[derive(Debug, Clone)]
pub struct FailingSchedule {
    seed: Option<u64>,
    number: u64,
    failure: String,
    trace: Vec<String>,
    reordered: usize,
}

impl FailingSchedule {
    pub(super) fn new(seed: Option<u64>, number: u64, shortest: ShortSchedule) -> Self {
        FailingSchedule {
            seed,
            number,
            failure: shortest.failure.to_string(),
            trace: shortest.trace,
            reordered: shortest.reordered,
        }
    }

    /// Returns the seed. [`Explore::seed`](super::Explore::seed) runs exactly this schedule again.
    /// Schedules of [`Explore::exhaustive`](super::Explore::exhaustive) have none.
    #[must_use]
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// Returns the number of schedules that have run, with this one.
    #[must_use]
    pub fn schedules(&self) -> u64 {
        self.number
    }

    /// Returns the reason why it fails.
    #[must_use]
    pub fn failure(&self) -> &str {
        &self.failure
    }

    /// Returns the events of the shortest schedule, a line for each.
    #[must_use]
    pub fn trace(&self) -> &[String] {
        &self.trace
    }

    /// Returns how many messages of the shortest schedule arrive out of the order in which they
    /// were sent.
    #[must_use]
    pub fn reordered(&self) -> usize {
        self.reordered
    }
}

impl fmt::Display for FailingSchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FailingSchedule {
            seed,
            number,
            failure,
            trace,
            reordered,
        } = self;
        writeln!(f, "{failure}")?;
        match seed {
            Some(seed) => writeln!(f, "schedule {number} fails; `--seed {seed}` runs it again")?,
            None => writeln!(f, "schedule {number} fails")?,
        }
        let order = match reordered {
            0 => "every message arrives in the order in which they were sent".to_owned(),
            1 => "one message arrives out of order".to_owned(),
            count => format!("{count} messages arrive out of order"),
        };
        writeln!(f, "the shortest schedule with this end, in which {order}:")?;
        for line in trace {
            writeln!(f, "  {line}")?;
        }
        Ok(())
    }
}

impl std::error::Error for FailingSchedule {}
