//! The shortest schedule that fails for the same reason: delta debugging of its choices.

use super::schedule::{RanSchedule, ScheduleFailure, run};
use super::strategies::Repetition;
use crate::runtime::AnyBody;

/// The largest number of schedules that are run to find a shorter one.
const ATTEMPTS: usize = 2_000;

/// A failing schedule, with its events.
pub(super) struct ShortSchedule {
    pub(super) failure: ScheduleFailure,
    pub(super) trace: Vec<String>,
    /// How many choices differ from the order in which the signals were sent.
    pub(super) reordered: usize,
}

/// Searches for the failing schedules with the fewest choices that differ from the order in which
/// the signals were sent.
struct Search<'a> {
    body: &'a dyn Fn() -> AnyBody,
    failure: &'a ScheduleFailure,
    attempts: usize,
}

impl Search<'_> {
    /// Returns the choices of the schedule that these choices begin, if it fails, too.
    fn fails(&mut self, choices: &[usize]) -> Option<Vec<usize>> {
        self.attempts = self.attempts.checked_sub(1)?;
        let ran = repeat((self.body)(), choices, false);
        let failure = ran.failure?;
        failure.is_like(self.failure).then(|| trimmed(ran.choices))
    }

    /// Replaces a part of the choices after another one, as long as the schedule fails.
    fn shorten(&mut self, mut choices: Vec<usize>) -> Vec<usize> {
        let mut size = choices.len();
        while size > 0 {
            let mut start = 0;
            while start < choices.len() {
                let end = (start + size).min(choices.len());
                match self.without(&choices, start..end) {
                    Some(shorter) => choices = shorter,
                    None => start = end,
                }
            }
            size /= 2;
        }
        choices
    }

    /// Removes a part of the choices, or chooses the signals there that were sent first.
    fn without(&mut self, choices: &[usize], part: std::ops::Range<usize>) -> Option<Vec<usize>> {
        let cost = cost(choices);
        let removed = [&choices[..part.start], &choices[part.end..]].concat();
        let mut in_order = choices.to_vec();
        in_order[part].fill(0);
        for candidate in [removed, in_order] {
            if candidate == choices {
                continue;
            }
            if let Some(ran) = self.fails(&candidate).filter(|ran| self::cost(ran) < cost) {
                return Some(ran);
            }
        }
        None
    }
}

/// Returns the number of choices that differ from the order, and the number of all choices.
fn cost(choices: &[usize]) -> (usize, usize) {
    let reordered = choices.iter().filter(|choice| **choice > 0).count();
    (reordered, choices.len())
}

/// Removes the choices at the end that do not differ from the order.
fn trimmed(mut choices: Vec<usize>) -> Vec<usize> {
    while choices.last() == Some(&0) {
        choices.pop();
    }
    choices
}

fn repeat(body: AnyBody, choices: &[usize], is_traced: bool) -> RanSchedule {
    run(body, &mut Repetition { choices, next: 0 }, is_traced)
}

/// Returns the shortest schedule that fails for this reason.
pub(super) fn shortest(
    body: &dyn Fn() -> AnyBody,
    failure: &ScheduleFailure,
    choices: Vec<usize>,
) -> ShortSchedule {
    let mut search = Search {
        body,
        failure,
        attempts: ATTEMPTS,
    };
    let choices = search.shorten(trimmed(choices));
    let ran = repeat(body(), &choices, true);
    ShortSchedule {
        failure: ran.failure.unwrap_or_else(|| failure.clone()),
        trace: ran.trace,
        reordered: cost(&choices).0,
    }
}
