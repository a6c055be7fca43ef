//! How long calls take while others compute.

use std::hint::spin_loop;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// How often each client calls.
const CALLS: u32 = 200;

/// The time from when a call is due to when the next one of the same client is.
const PERIOD: Duration = Duration::from_millis(10);

/// How long a worker computes for a message.
const WORK: Duration = Duration::from_millis(1);

/// How many workers there are: two for each core.
#[must_use]
pub fn workers() -> u32 {
    let cores = available_parallelism().map_or(1, std::num::NonZero::get);
    u32::try_from(2 * cores).unwrap_or(u32::MAX)
}

/// When the calls of a client are due: each client a little later than the one before.
pub fn due(client: u32, clients: u32) -> impl Iterator<Item = Instant> + Send {
    let first = Instant::now() + PERIOD.mul_f64(f64::from(client) / f64::from(clients));
    (1..=CALLS).map(move |call| first + PERIOD * call)
}

/// What is left until then.
#[must_use]
pub fn until(due: Instant) -> Duration {
    due.saturating_duration_since(Instant::now())
}

/// What a worker does for a message, a little at a time.
pub fn compute() -> impl Iterator<Item = ()> + Send {
    let begun = Instant::now();
    std::iter::from_fn(move || {
        spin_loop();
        (begun.elapsed() < WORK).then_some(())
    })
}

/// The time within which so many of a thousand calls were answered.
#[must_use]
pub fn per_mille(mut times: Vec<Duration>, within: u32) -> Duration {
    times.sort_unstable();
    let index = (times.len() * within as usize).div_ceil(1_000).max(1) - 1;
    times.get(index).copied().unwrap_or_default()
}
