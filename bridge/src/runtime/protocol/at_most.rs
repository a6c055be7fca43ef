//! A rate limit for reports: at most one a second.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::nif::{ClockTicks, ticks_of};

/// The shortest time between two reports.
const BETWEEN: Duration = Duration::from_secs(1);

/// Lets one report through each second.
pub(in crate::runtime) struct OnceASecond {
    /// When the last report was let through.
    last: AtomicU64,
    /// The number of reports that were suppressed since.
    suppressed: AtomicU64,
}

impl OnceASecond {
    pub(in crate::runtime) const fn new() -> Self {
        OnceASecond {
            last: AtomicU64::new(0),
            suppressed: AtomicU64::new(0),
        }
    }

    /// Returns the number of reports that were suppressed since the last one, if another one may be
    /// logged now.
    pub(in crate::runtime) fn pass(&self) -> Option<u64> {
        let (now, last) = (ClockTicks::now().0, self.last.load(Ordering::Relaxed));
        let is_soon = last != 0 && now.saturating_sub(last) < ticks_of(BETWEEN);
        let (order, exchange) = (Ordering::Relaxed, AtomicU64::compare_exchange);
        if is_soon || exchange(&self.last, last, now, order, order).is_err() {
            self.suppressed.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        Some(self.suppressed.swap(0, Ordering::Relaxed))
    }
}
