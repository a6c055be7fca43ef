//! How long a call runs before its checkpoints yield.

use std::cell::Cell;

use crate::nif::{ClockTicks, per_millisecond};

/// The slices of a process. The first one is a tenth of a timeslice, so that many processes that
/// yield all run within one timeslice. As long as no other process waits for the scheduler, each
/// slice is twice as long as the previous one.
#[derive(Debug, Default)]
pub(in crate::runtime) struct Slices {
    /// The length of the last slice.
    length: Cell<u64>,
    gave_way: Cell<Option<ClockTicks>>,
}

impl Slices {
    /// Records that the process yields: it is resumed after the waiting processes have had their
    /// turns.
    pub(in crate::runtime) fn give_way(&self) {
        self.gave_way.set(Some(ClockTicks::now()));
    }

    /// Starts a call. Returns the length of its slice.
    #[inline]
    pub(in crate::runtime) fn begin(&self, began: ClockTicks) -> u64 {
        let length = match self.gave_way.take() {
            // No other process has waited, because this one was away for only a few microseconds.
            Some(gave_way) if began.since(gave_way) < per_millisecond() / 50 => {
                (2 * self.length.get()).min(longest())
            }
            Some(_) | None => shortest(),
        };
        self.length.set(length);
        length
    }
}

/// Stands for the first slice of a process, whose length is looked up when it is needed.
pub(in crate::runtime) const FIRST: u64 = 0;

/// Returns the length of a slice in ticks.
#[inline]
pub(in crate::runtime) fn length(slice: u64) -> u64 {
    match slice {
        FIRST => shortest(),
        slice => slice,
    }
}

/// Returns the slice on a dirty scheduler, which need not be yielded to other processes.
#[inline]
pub(in crate::runtime) fn dirty() -> u64 {
    per_millisecond()
}

#[inline]
fn shortest() -> u64 {
    per_millisecond() / 10
}

/// Returns the longest slice. It leaves some of the timeslice to the last step of a loop.
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
