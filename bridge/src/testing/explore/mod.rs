//! Exploring the orders in which processes can run: docs/testing.md.

mod report;
mod schedule;
mod shrink;
mod strategies;

use std::env;
use std::sync::Arc;

use crate::runtime::{AnyBody, Body, Cx, Result, any_body};
pub use report::FailingSchedule;
use schedule::{RanSchedule, run};
use shrink::shortest;
use strategies::of_seed;

/// The variable with the number of schedules: `cargo otp test --explore N`.
const SCHEDULES: &str = otp_contract::testing::EXPLORE;

/// The variable with the first seed: `cargo otp test --seed S`.
const SEED: &str = otp_contract::testing::SEED;

/// The default number of schedules.
const DEFAULT_SCHEDULES: u64 = 1_000;

/// Runs a test in a simulated node, many times, with another order of messages each time.
///
/// The test is an async closure with a context, as the body of a process. It starts the processes
/// that it needs, usually a supervisor. A schedule fails if the test panics, returns an error or
/// is ended by a linked process, and in these cases:
///
/// - a process receives a message that none of its clauses takes;
/// - a process drops a caller without a reply;
/// - a supervisor ends because its children end too often;
/// - the test waits for something that can never happen;
/// - the schedule does not end within 100,000 steps.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::atoms::ok;
/// use otp_bridge::gen_server::prelude::*;
/// use otp_bridge::testing::Explore;
///
/// #[derive(Debug)]
/// struct Counter(u64);
///
/// #[derive(Debug, Clone, Term)]
/// struct Increase;
///
/// #[derive(Debug, Clone, Term)]
/// #[reply(u64)]
/// struct Count;
///
/// #[gen_server]
/// impl GenServer for Counter {
///     type Args = u64;
///
///     fn init(start: u64) -> impl InitReturn<Self> {
///         (ok, Counter(start))
///     }
///
///     fn handle_cast(&mut self, _: Increase) -> HandleCast {
///         self.0 += 1;
///         noreply()
///     }
///
///     fn handle_call(&mut self, _: Count) -> HandleCall<u64> {
///         reply(self.0)
///     }
/// }
///
/// // Messages of one process to another one keep their order.
/// let explored = Explore::new().schedules(100).run(async |cx| {
///     let counter = cx.start_link::<Counter>(0).await?;
///     cx.cast(&counter, Increase);
///     assert_eq!(cx.call(&counter, Count).await?, 1);
///     Ok(())
/// });
/// assert!(explored.is_ok());
/// ```
#[derive(Debug, Clone)]
#[must_use = "nothing runs before `run`"]
pub struct Explore {
    schedules: u64,
    seed: u64,
}

impl Default for Explore {
    fn default() -> Self {
        Explore::new()
    }
}

impl Explore {
    /// 1,000 schedules, the first one with the seed 0.
    pub fn new() -> Self {
        Explore {
            schedules: DEFAULT_SCHEDULES,
            seed: 0,
        }
    }

    /// Sets the number of schedules.
    pub fn schedules(self, schedules: u64) -> Self {
        Explore { schedules, ..self }
    }

    /// Sets the seed of the first schedule. The seed of a failing schedule runs exactly this
    /// schedule again.
    pub fn seed(self, seed: u64) -> Self {
        Explore { seed, ..self }
    }

    /// Runs the test.
    ///
    /// # Errors
    /// The first schedule that fails, with its seed and its shortest form.
    pub fn run<B>(&self, test: B) -> std::result::Result<(), FailingSchedule>
    where
        B: AsyncFnOnce(&Cx<'_>) -> Result<()>
            + for<'a> Body<'a, ()>
            + Clone
            + Send
            + Sync
            + 'static,
    {
        let test = Arc::new(test);
        self.run_bodies(&|| any_body(B::clone(&test)))
    }

    /// Like [`run`](Self::run), with a function that returns the body for each schedule.
    fn run_bodies(&self, body: &dyn Fn() -> AnyBody) -> std::result::Result<(), FailingSchedule> {
        for index in 0..self.schedules {
            // The first schedule has the seed itself, so that a seed stands for one schedule.
            let seed = self.seed.wrapping_add(index);
            let ran = run(body(), &mut *of_seed(seed), false);
            if let RanSchedule {
                failure: Some(failure),
                choices,
                ..
            } = ran
            {
                let shortest = shortest(body, &failure, choices);
                return Err(FailingSchedule::new(seed, index + 1, shortest));
            }
        }
        Ok(())
    }
}

/// Runs a test of `#[otp_bridge::test(explore(…))]`. The command line has precedence over the
/// attribute. With a seed there and no number, only the schedule of that seed runs.
///
/// # Panics
/// If a schedule fails.
pub fn run_exploration(schedules: Option<u64>, seed: Option<u64>, body: fn() -> AnyBody) {
    let only = number(SEED);
    let schedules = number(SCHEDULES)
        .or(only.map(|_| 1))
        .or(schedules)
        .unwrap_or(DEFAULT_SCHEDULES);
    let explore = Explore {
        schedules,
        seed: only.or(seed).unwrap_or(0),
    };
    if let Err(failing) = explore.run_bodies(&body) {
        panic!("{failing}");
    }
}

/// Reads a number from the environment.
///
/// # Panics
/// If it is not a number.
fn number(variable: &str) -> Option<u64> {
    let text = env::var(variable).ok()?;
    match text.parse() {
        Ok(number) => Some(number),
        Err(error) => panic!("{variable}={text}: {error}"),
    }
}
