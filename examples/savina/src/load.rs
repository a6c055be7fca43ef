//! Latency under load: the schedule of the calls, and the workers' computation.

use std::hint::spin_loop;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// Number of calls that each client makes.
const CALLS: u32 = 200;

/// Time between the due times of two calls of a client.
const PERIOD: Duration = Duration::from_millis(10);

/// How long a worker computes for each message.
const WORK: Duration = Duration::from_millis(1);

/// Returns the number of workers: two for each core.
#[must_use]
pub fn workers() -> u32 {
    let cores = available_parallelism().map_or(1, std::num::NonZero::get);
    u32::try_from(2 * cores).unwrap_or(u32::MAX)
}

/// Returns the due times of a client's calls. Each client starts slightly later than the previous
/// one.
pub fn due(client: u32, clients: u32) -> impl Iterator<Item = Instant> + Send {
    let first = Instant::now() + PERIOD.mul_f64(f64::from(client) / f64::from(clients));
    (1..=CALLS).map(move |call| first + PERIOD * call)
}

/// Returns the time that remains until then.
#[must_use]
pub fn until(due: Instant) -> Duration {
    due.saturating_duration_since(Instant::now())
}

/// Does the computation of a worker for one message, in small steps.
pub fn compute() -> impl Iterator<Item = ()> + Send {
    let begun = Instant::now();
    std::iter::from_fn(move || {
        spin_loop();
        (begun.elapsed() < WORK).then_some(())
    })
}

/// Returns the duration that `within` of a thousand calls do not exceed.
#[must_use]
pub fn per_mille(mut times: Vec<Duration>, within: u32) -> Duration {
    times.sort_unstable();
    let index = (times.len() * within as usize).div_ceil(1_000).max(1) - 1;
    times.get(index).copied().unwrap_or_default()
}
