//! How long a call runs before its checkpoints give way.

use std::cell::Cell;

use crate::nif::{ClockTicks, per_millisecond};

/// The slices of a process. The first one is a tenth of a timeslice, so that many processes which
/// give way are all run within a timeslice. As long as no other process turns out to wait for the
/// scheduler, each is twice as long as the one before.
#[derive(Debug, Default)]
pub(in crate::runtime) struct Slices {
    /// How long the last slice was.
    length: Cell<u64>,
    gave_way: Cell<Option<ClockTicks>>,
}

impl Slices {
    /// The process gives its scheduler back, and goes on when those that wait have had their turns.
    pub(in crate::runtime) fn give_way(&self) {
        self.gave_way.set(Some(ClockTicks::now()));
    }

    /// A call begins. Returns how long its slice is.
    #[inline]
    pub(in crate::runtime) fn begin(&self, began: ClockTicks) -> u64 {
        let length = match self.gave_way.take() {
            // Nobody has waited: the process was away for a few microseconds.
            Some(gave_way) if began.since(gave_way) < per_millisecond() / 50 => {
                (2 * self.length.get()).min(longest())
            }
            Some(_) | None => shortest(),
        };
        self.length.set(length);
        length
    }
}

/// The first slice of a process: its length is looked up when it is asked for.
pub(in crate::runtime) const FIRST: u64 = 0;

/// How long a slice is.
#[inline]
pub(in crate::runtime) fn length(slice: u64) -> u64 {
    match slice {
        FIRST => shortest(),
        slice => slice,
    }
}

/// A slice on a dirty scheduler, for which nobody waits.
#[inline]
pub(in crate::runtime) fn dirty() -> u64 {
    per_millisecond()
}

#[inline]
fn shortest() -> u64 {
    per_millisecond() / 10
}

/// Leaves some of the timeslice to the last step of a loop.
#[inline]
fn longest() -> u64 {
    per_millisecond() / 8 * 7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_is_short_while_others_wait() {
        let slices = Slices::default();
        let millisecond = per_millisecond();
        let after = |away: u64| {
            slices.give_way();
            let gave_way = slices.gave_way.get().map_or(0, |it| it.0);
            let began = ClockTicks(gave_way + away);
            slices.begin(began)
        };
        assert_eq!(slices.begin(ClockTicks(5)), length(FIRST));
        let alone: Vec<_> = (0..5).map(|_| after(millisecond / 100)).collect();
        let most = millisecond / 8 * 7;
        let tenth = millisecond / 10;
        assert_eq!(alone, [2 * tenth, 4 * tenth, 8 * tenth, most, most]);
        assert_eq!(after(millisecond), tenth);
        assert_eq!(after(0), 2 * tenth);
        assert_eq!(
            slices.begin(ClockTicks(5)),
            length(FIRST),
            "another callback"
        );
    }
}
