//! A clock that can be read in a few nanoseconds, to measure every call.
//!
//! Reading `Instant::now` twice would take longer than the rest of a call. So this reads the
//! processor's own counter if there is one with a constant rate, and `Instant` elsewhere.
#![allow(unsafe_code)]

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A point in time, in the processor's own unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ClockTicks(pub(crate) u64);

/// Ticks in a millisecond; 1,000,000 where a tick is a nanosecond.
static PER_MILLISECOND: AtomicU64 = AtomicU64::new(1_000_000);

impl ClockTicks {
    /// Returns the current time.
    #[inline]
    pub(crate) fn now() -> Self {
        ClockTicks(read())
    }

    /// Returns the number of ticks since `earlier`. The counters of two processors may differ a
    /// little.
    #[inline]
    pub(crate) fn since(self, earlier: ClockTicks) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// Ticks in a millisecond, at least 100.
#[inline]
pub(crate) fn per_millisecond() -> u64 {
    PER_MILLISECOND.load(Ordering::Relaxed)
}

pub(crate) fn ticks_of(time: Duration) -> u64 {
    let per_millisecond = u128::from(per_millisecond());
    let ticks = time.as_nanos() * per_millisecond / 1_000_000;
    u64::try_from(ticks).unwrap_or(u64::MAX)
}

/// Returns the duration of that many ticks.
pub(crate) fn duration(ticks: u64) -> Duration {
    let per_millisecond = u128::from(per_millisecond());
    let nanos = u128::from(ticks) * 1_000_000 / per_millisecond;
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}

/// How long the counter is measured. This determines its rate to within a few thousandths.
const WATCHED: Duration = Duration::from_micros(500);

/// If two readings of the clock are this close together, no other program ran between them.
const CLOSE: Duration = Duration::from_micros(1);

/// Measures the rate of the counter, once.
pub(super) fn calibrate() {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        let (start, first) = same_time();
        while start.elapsed() < WATCHED {
            std::hint::spin_loop();
        }
        let (end, last) = same_time();
        let (time, ticks) = (end - start, last.saturating_sub(first));
        let rate = u128::from(ticks) * 1_000_000 / time.as_nanos().max(1);
        let rate = u64::try_from(rate).unwrap_or(1_000_000).max(100);
        PER_MILLISECOND.store(rate, Ordering::Relaxed);
    });
}

/// Reads the clock and the counter at the same time. It makes many attempts and uses one in which
/// no other program ran in between, if there is one.
fn same_time() -> (Instant, u64) {
    let mut closest = (Duration::MAX, Instant::now(), read());
    for _ in 0..1000 {
        let before = Instant::now();
        let ticks = read();
        let apart = before.elapsed();
        if apart < closest.0 {
            closest = (apart, before, ticks);
        }
        if apart < CLOSE {
            break;
        }
    }
    (closest.1, closest.2)
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn read() -> u64 {
    // Every x86-64 processor that runs an OTP of the last ten years counts at a constant rate.
    // SAFETY: reading the counter has no preconditions in user mode.
    unsafe { std::arch::x86_64::_rdtsc() }
}

#[cfg(target_arch = "aarch64")]
#[inline]
fn read() -> u64 {
    let ticks: u64;
    // SAFETY: the virtual counter is readable in user mode; it writes one register.
    unsafe { std::arch::asm!("mrs {}, cntvct_el0", out(reg) ticks, options(nomem, nostack)) };
    ticks
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn read() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let elapsed = START.get_or_init(Instant::now).elapsed();
    u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_and_durations_are_each_others_inverse() {
        calibrate();
        let time = Duration::from_millis(250);
        let back = duration(ticks_of(time));
        assert!(back.abs_diff(time) < Duration::from_micros(1), "{back:?}");
    }

    #[test]
    fn the_counter_runs_as_fast_as_the_clock() {
        calibrate();
        let (start, first) = same_time();
        std::thread::sleep(Duration::from_millis(20));
        let (end, last) = same_time();
        let (time, counted) = (
            end - start,
            duration(ClockTicks(last).since(ClockTicks(first))),
        );
        // A rate in another unit would be far off. The exact length of the sleep does not matter.
        assert!(
            counted > time / 2 && counted < time * 2,
            "{counted:?} {time:?}"
        );
    }
}
