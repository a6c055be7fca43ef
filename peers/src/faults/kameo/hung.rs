//! A hung actor: a watchdog pings the worker, and kills it if it does not answer. Then the
//! supervisor restarts the worker.
//!
//! `kill` works only once for each reference. So after each start, the worker publishes a new
//! reference for the watchdog.

use std::future::pending;
use std::time::Duration;

use kameo::error::Infallible;
use kameo::prelude::*;
use kameo::supervision::RestartPolicy;
use tokio::time::{sleep, timeout};

use super::{Ask, Current, Load, Tally, answer, observe};

/// The interval between two pings.
const PERIOD: Duration = Duration::from_millis(50);

/// The time that the worker has to answer a ping.
const LIMIT: Duration = Duration::from_millis(100);

#[derive(Actor)]
struct Supervisor;

/// Answers, unless it waits for ever.
struct Waiter;

impl Actor for Waiter {
    type Args = Current<Waiter>;
    type Error = Infallible;

    async fn on_start(
        current: Current<Waiter>,
        myself: ActorRef<Self>,
    ) -> Result<Self, Infallible> {
        current.set(myself);
        Ok(Waiter)
    }
}

impl Message<Ask> for Waiter {
    type Reply = u64;

    async fn handle(&mut self, Ask(call): Ask, _: &mut Context<Self, u64>) -> u64 {
        if call.fault {
            pending::<()>().await;
        }
        answer(call.number)
    }
}

struct Ping;

impl Message<Ping> for Waiter {
    type Reply = ();

    async fn handle(&mut self, _: Ping, _: &mut Context<Self, ()>) {}
}

/// Kills a waiter that does not answer.
struct Watchdog {
    current: Current<Waiter>,
}

impl Actor for Watchdog {
    type Args = Current<Waiter>;
    type Error = Infallible;

    async fn on_start(
        current: Current<Waiter>,
        myself: ActorRef<Self>,
    ) -> Result<Self, Infallible> {
        tokio::spawn(async move {
            while myself.tell(Look).await.is_ok() {
                sleep(PERIOD).await
            }
        });
        Ok(Watchdog { current })
    }
}

struct Look;

impl Message<Look> for Watchdog {
    type Reply = ();

    async fn handle(&mut self, _: Look, _: &mut Context<Self, ()>) {
        let Some(waiter) = self.current.get() else {
            return;
        };
        if timeout(LIMIT, waiter.ask(Ping).send()).await.is_err() {
            waiter.kill();
        }
    }
}

pub(super) async fn run(load: Load) -> Tally {
    let supervisor = Supervisor::spawn(Supervisor);
    let current = Current::new();
    let waiter = Waiter::supervise(&supervisor, current.clone())
        .restart_policy(RestartPolicy::Permanent)
        .restart_limit(10 * load.faults as u32, Duration::from_secs(1))
        .spawn()
        .await;
    let watchdog = Watchdog::supervise(&supervisor, current);
    watchdog.spawn().await;
    observe(waiter.reply_recipient::<Ask>(), load).await
}
