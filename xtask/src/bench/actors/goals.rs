//! What is wanted of a program, and whether it was reached.

use super::programs::Program;
use super::samples::Samples;

/// What one contestant is to reach.
pub(super) enum Goal {
    /// At most so many times the median of another one, with the largest parameter.
    Beside(&'static str, f64, &'static str),
    /// At most so many bytes or nanoseconds for one more.
    Each(&'static str, f64),
}

impl Goal {
    /// A sentence, if both have been measured.
    pub(super) fn judged(
        &self,
        program: &'static Program,
        x: u64,
        samples: &Samples,
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

/// A process is as fast as one of Erlang's, and faster than a thread.
pub(super) const PROCESS: [Goal; 2] = [
    Goal::Beside("otp-rs", 1.05, "erlang"),
    Goal::Beside("otp-rs", 1.0, "threads"),
];

/// The same, and a message between tasks takes an eighth of one between actors on the best thread for them.
pub(super) const MESSAGE: [Goal; 4] = [
    Goal::Beside("otp-rs", 1.05, "erlang"),
    Goal::Beside("otp-rs", 1.0, "threads"),
    Goal::Beside("otp-rs tasks", 0.125, "actix"),
    Goal::Beside("otp-rs tasks", 1.0, "tokio-current"),
];

/// A process is started as fast as one of Erlang's, and a task in a tenth of an actor's time.
pub(super) const CREATION: [Goal; 2] = [
    Goal::Beside("otp-rs", 1.05, "erlang"),
    Goal::Beside("otp-rs tasks", 0.1, "actix"),
];

/// What the thesis on tasks in a process needed for each of them.
pub(super) const MEMORY: [Goal; 1] = [Goal::Each("otp-rs tasks", 204.0)];
