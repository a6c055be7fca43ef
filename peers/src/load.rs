//! How long calls take while others compute.

use std::time::{Duration, Instant};

/// How often each client calls.
const CALLS: usize = 200;

/// The time from when a call is due to when the next one of the same client is.
const PERIOD: Duration = Duration::from_millis(10);

/// When the calls of a client are due: each client a little later than the one before. What is late
/// counts, too.
pub(crate) fn due(client: usize, clients: usize) -> impl Iterator<Item = Instant> {
    let first = Instant::now() + PERIOD.mul_f64(client as f64 / clients as f64);
    (1..).map(move |call| first + PERIOD * call).take(CALLS)
}

/// How long a worker computes for a message. Then it sends itself the next one.
const WORK: Duration = Duration::from_millis(1);

/// How many workers there are: two for each core.
pub(crate) fn workers() -> usize {
    2 * std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// What a worker does for a message.
pub(crate) fn compute() {
    let begun = Instant::now();
    while begun.elapsed() < WORK {
        std::hint::spin_loop();
    }
}

/// The time within which so many of a thousand calls were answered.
pub(crate) fn per_mille(mut times: Vec<Duration>, within: usize) -> Option<Duration> {
    times.sort_unstable();
    times
        .get((times.len() * within).div_ceil(1_000).max(1) - 1)
        .copied()
}
