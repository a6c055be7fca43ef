//! The load of the program "latency": calls of clients while other actors compute.

use std::time::{Duration, Instant};

/// The number of calls of each client.
const CALLS: usize = 200;

/// The time between two calls of a client.
const PERIOD: Duration = Duration::from_millis(10);

/// Returns when the calls of a client are due. Each client starts a little later than the one
/// before it. A call is measured from the time at which it was due, even if it was made late.
pub(crate) fn due(client: usize, clients: usize) -> impl Iterator<Item = Instant> {
    let first = Instant::now() + PERIOD.mul_f64(client as f64 / clients as f64);
    (1..).map(move |call| first + PERIOD * call).take(CALLS)
}

/// How long a worker computes for each message, before it sends itself the next one.
const WORK: Duration = Duration::from_millis(1);

/// Returns the number of workers: two for each core.
pub(crate) fn workers() -> usize {
    2 * std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Does the work of a worker for one message.
pub(crate) fn compute() {
    let begun = Instant::now();
    while begun.elapsed() < WORK {
        std::hint::spin_loop();
    }
}

/// Returns the time within which `within` of a thousand calls were answered.
pub(crate) fn per_mille(mut times: Vec<Duration>, within: usize) -> Option<Duration> {
    times.sort_unstable();
    times
        .get((times.len() * within).div_ceil(1_000).max(1) - 1)
        .copied()
}
