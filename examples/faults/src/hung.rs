//! A hung actor: a fault waits for something that never comes. A watchdog asks the worker whether
//! it still answers, and kills it if not; its supervisor starts it again.

use std::time::Duration;

use otp_bridge::atoms::{kill, ok};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::supervisor::{self, ChildSpec, SupFlags, Supervisor, supervisor};

use crate::ask::{Ask, SERVICE};

/// How often the watchdog asks.
const PERIOD: Duration = Duration::from_millis(50);

/// How long the worker may take to answer that.
const LIMIT: Duration = Duration::from_millis(100);

/// Starts the slow one, again after each fault, and its watchdog.
pub struct Hung;

#[supervisor]
impl Supervisor for Hung {
    /// How often they may be restarted within a second.
    type Args = u64;

    fn init(restarts: u64) -> impl supervisor::InitReturn {
        let waiter = ChildSpec::of::<Waiter>(()).registered(SERVICE);
        let flags = SupFlags::one_for_one().intensity(restarts).period(1);
        (ok, (flags, vec![waiter, ChildSpec::of::<Watchdog>(())]))
    }
}

/// Answers, unless it waits for ever.
#[derive(Debug, Term)]
pub struct Waiter;

/// `ping`
#[derive(Debug, Term)]
#[reply(ok)]
pub struct Ping;

/// `never`: nobody sends this.
#[derive(Debug, Term)]
pub struct Never;

#[gen_server]
impl GenServer for Waiter {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Waiter)
    }

    fn handle_call(&mut self, _: Ping) -> HandleCall<ok> {
        reply(ok)
    }

    async fn handle_call(&mut self, ask: Ask, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        if ask.fault {
            let Never = cx.receive().await?;
        }
        reply(ask.answer())
    }
}

/// Kills a waiter that does not answer.
#[derive(Debug, Term)]
pub struct Watchdog;

/// `look`
#[derive(Debug, Term)]
pub struct Look;

#[gen_server]
impl GenServer for Watchdog {
    type Args = ();

    fn init(_: (), cx: &Cx<'_>) -> impl InitReturn<Self> {
        cx.send_interval(PERIOD, Look);
        (ok, Watchdog)
    }

    async fn handle_info(&mut self, _: Look, cx: &Cx<'_>) -> Result<HandleInfo> {
        let pid: Option<Pid> = cx.apply("erlang", "whereis", (SERVICE,)).await?;
        if let Some(pid) = pid
            && cx.call_within(&pid, Ping, LIMIT).await.is_err()
        {
            cx.exit(&pid, kill);
        }
        noreply()
    }
}
