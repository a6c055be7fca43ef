//! The shortest schedule that fails for the same reason: delta debugging of its choices.

use std::ops::Range;

use super::schedule::{ExploredTest, RanSchedule, ScheduleFailure, ScheduleOrder, run};
use super::strategies::Repetition;

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
    explored: &'a ExploredTest<'a>,
    failure: &'a ScheduleFailure,
    attempts: usize,
}

impl Search<'_> {
    /// Returns the schedule with this order, or whose choices begin with these, if it fails, too.
    fn fails(&mut self, order: &ScheduleOrder) -> Option<ScheduleOrder> {
        self.attempts = self.attempts.checked_sub(1)?;
        let ran = repeat(self.explored, order, false);
        let failure = ran.failure?;
        failure.is_like(self.failure).then(|| trimmed(ran.order))
    }

    /// Replaces the schedule by shorter ones, as long as they fail.
    fn shorten(&mut self, mut order: ScheduleOrder) -> ScheduleOrder {
        for index in (0..order.kills.len()).rev() {
            let mut fewer = order.clone();
            fewer.kills.remove(index);
            order = self.fails(&fewer).unwrap_or(order);
        }
        let mut size = order.choices.len();
        while size > 0 {
            let mut start = 0;
            while start < order.choices.len() {
                let end = (start + size).min(order.choices.len());
                match self.without(&order, start..end) {
                    Some(shorter) => order = shorter,
                    None => start = end,
                }
            }
            size /= 2;
        }
        order
    }

    /// Removes a part of the choices, or chooses the signals there that were sent first.
    fn without(&mut self, order: &ScheduleOrder, part: Range<usize>) -> Option<ScheduleOrder> {
        let choices = &order.choices;
        let removed = [&choices[..part.start], &choices[part.end..]].concat();
        let mut in_order = choices.clone();
        in_order[part].fill(0);
        for choices in [removed, in_order] {
            let kills = order.kills.clone();
            let changed = ScheduleOrder { choices, kills };
            if changed == *order {
                continue;
            }
            let shorter = self.fails(&changed);
            if let Some(shorter) = shorter.filter(|shorter| cost(shorter) < cost(order)) {
                return Some(shorter);
            }
        }
        None
    }
}

/// Returns the number of choices that differ from the order in which signals were sent, and the
/// number of all choices.
fn cost(order: &ScheduleOrder) -> (usize, usize) {
    let choices = &order.choices;
    let reordered = choices.iter().filter(|choice| **choice > 0).count();
    (reordered, choices.len())
}

/// Removes the choices at the end that do not differ from the order.
fn trimmed(mut order: ScheduleOrder) -> ScheduleOrder {
    while order.choices.last() == Some(&0) {
        order.choices.pop();
    }
    order
}

fn repeat(explored: &ExploredTest<'_>, order: &ScheduleOrder, is_traced: bool) -> RanSchedule {
    let choices = &order.choices;
    let mut repetition = Repetition { choices, next: 0 };
    run(explored, &mut repetition, &order.kills, is_traced)
}

/// Returns the shortest schedule that fails for this reason.
pub(super) fn shortest(
    explored: &ExploredTest<'_>,
    failure: &ScheduleFailure,
    order: ScheduleOrder,
) -> ShortSchedule {
    let mut search = Search {
        explored,
        failure,
        attempts: ATTEMPTS,
    };
    let order = search.shorten(trimmed(order));
    let ran = repeat(explored, &order, true);
    ShortSchedule {
        failure: ran.failure.unwrap_or_else(|| failure.clone()),
        trace: ran.trace,
        reordered: cost(&order).0,
    }
}
