//! Exploring the orders in which processes can run: docs/howto/explore.md.

mod explored_node;
mod report;
mod schedule;
mod shrink;
mod strategies;

use std::env;
use std::sync::Arc;

use crate::runtime::{AnyBody, Body, Cx, Result, any_body};
pub use explored_node::ExploredNode;
pub use report::{Explored, FailingSchedule};
use schedule::{ExploredTest, RanSchedule, run};
use shrink::shortest;
use strategies::{Exhaustion, kills_of_seed, of_seed};

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
/// struct Tally(u64);
///
/// #[derive(Debug, Clone, Term)]
/// struct Increase;
///
/// #[derive(Debug, Clone, Term)]
/// #[reply(u64)]
/// struct Count;
///
/// #[gen_server]
/// impl GenServer for Tally {
///     type Args = u64;
///
///     fn init(start: u64) -> impl InitReturn<Self> {
///         (ok, Tally(start))
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
///     let tally = cx.start_link::<Tally>(0).await?;
///     cx.cast(&tally, Increase);
///     assert_eq!(cx.call(&tally, Count).await?, 1);
///     Ok(())
/// });
/// assert!(explored.is_ok());
/// ```
#[derive(Debug, Clone)]
#[must_use = "nothing runs before `run`"]
pub struct Explore {
    schedules: u64,
    seed: u64,
    is_exhaustive: bool,
    kills: usize,
    always: Vec<fn(&ExploredNode<'_>)>,
}

impl Default for Explore {
    fn default() -> Self {
        Explore::new()
    }
}

impl Explore {
    /// Creates an exploration of 1,000 schedules, whose seeds begin with 0.
    pub fn new() -> Self {
        Explore {
            schedules: DEFAULT_SCHEDULES,
            seed: 0,
            is_exhaustive: false,
            kills: 0,
            always: Vec::new(),
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

    /// Tries all orders instead of random ones, at most [`schedules`](Self::schedules). A program
    /// of three processes that send each other a few messages has some hundreds of orders.
    pub fn exhaustive(self) -> Self {
        Explore {
            is_exhaustive: true,
            ..self
        }
    }

    /// Kills up to this many processes in each random schedule, at any of its steps, also while
    /// their callbacks wait. Only children of supervisors are killed, and no supervisors. The test
    /// has to expect that its calls fail.
    pub fn kills(self, kills: usize) -> Self {
        Explore { kills, ..self }
    }

    /// Adds a property that holds after each step: a function that panics if it does not hold. It
    /// can look at the states of processes.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// # use otp_bridge::atom;
    /// # use otp_bridge::atoms::ok;
    /// # use otp_bridge::gen_server::prelude::*;
    /// use otp_bridge::testing::Explore;
    /// # #[derive(Debug)]
    /// # struct Gauge(u64);
    /// # #[derive(Debug, Clone, Term)]
    /// # #[reply(u64)]
    /// # struct Increase;
    /// # #[gen_server]
    /// # impl GenServer for Gauge {
    /// #     type Args = u64;
    /// #     fn init(start: u64) -> impl InitReturn<Self> { (ok, Gauge(start)) }
    /// #     fn handle_call(&mut self, _: Increase) -> HandleCall<u64> { self.0 += 1; reply(self.0) }
    /// # }
    ///
    /// let explore = Explore::new().schedules(10).always(|node| {
    ///     node.state(atom!("gauge"), |gauge: &Gauge| assert!(gauge.0 < 2));
    /// });
    /// let explored = explore.run(async |cx| {
    ///     let gauge = cx.start_link_registered::<Gauge>(0).await?;
    ///     cx.call(&gauge, Increase).await?;
    ///     cx.call(&gauge, Increase).await?;
    ///     Ok(())
    /// });
    /// assert!(explored.unwrap_err().failure().starts_with("a property does not hold"));
    /// ```
    pub fn always(mut self, property: fn(&ExploredNode<'_>)) -> Self {
        self.always.push(property);
        self
    }

    /// Runs the test.
    ///
    /// # Errors
    /// The first schedule that fails, with its seed and its shortest form.
    pub fn run<B>(&self, test: B) -> std::result::Result<Explored, FailingSchedule>
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
    fn run_bodies(
        &self,
        body: &dyn Fn() -> AnyBody,
    ) -> std::result::Result<Explored, FailingSchedule> {
        let explored = ExploredTest {
            body,
            always: &self.always,
        };
        let mut exhaustion = self.is_exhaustive.then(Exhaustion::default);
        for index in 0..self.schedules {
            // The first schedule has the seed itself, so that a seed stands for one schedule.
            let seed = self.seed.wrapping_add(index);
            let ran = match &mut exhaustion {
                Some(exhaustion) => run(&explored, exhaustion, &[], false),
                None => {
                    let kills = kills_of_seed(seed, self.kills);
                    run(&explored, &mut *of_seed(seed), &kills, false)
                }
            };
            if let RanSchedule {
                failure: Some(failure),
                order,
                ..
            } = ran
            {
                let shortest = shortest(&explored, &failure, order);
                let seed = (!self.is_exhaustive).then_some(seed);
                return Err(FailingSchedule::new(seed, index + 1, shortest));
            }
            if exhaustion.as_mut().is_some_and(|all| !all.advance()) {
                return Ok(Explored {
                    schedules: index + 1,
                    is_complete: true,
                });
            }
        }
        Ok(Explored {
            schedules: self.schedules,
            is_complete: false,
        })
    }
}

/// Runs a test of `#[otp_bridge::test(explore(…))]`. The command line has precedence over the
/// attribute. With a seed there and no number, only the schedule of that seed runs.
///
/// # Panics
/// If a schedule fails.
pub fn run_exploration(attribute: Explore, body: fn() -> AnyBody) {
    let only = number(SEED);
    let schedules = number(SCHEDULES).or(only.map(|_| 1));
    let explore = Explore {
        schedules: schedules.unwrap_or(attribute.schedules),
        seed: only.unwrap_or(attribute.seed),
        ..attribute
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
