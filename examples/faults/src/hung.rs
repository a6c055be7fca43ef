//! A hung process: the fault makes the worker wait for a message that never comes. A watchdog calls
//! the worker regularly, and kills it if it does not answer; the supervisor then restarts it.

use std::time::Duration;

use otp_bridge::atoms::{kill, ok};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::supervisor::{self, ChildSpec, SupFlags, Supervisor, supervisor};

use crate::ask::{Ask, SERVICE};

/// How often the watchdog calls the worker.
const PERIOD: Duration = Duration::from_millis(50);

/// Time limit for the worker's answer.
const LIMIT: Duration = Duration::from_millis(100);

/// Starts the worker and its watchdog, and restarts the worker after each fault.
pub struct Hung;

#[supervisor]
impl Supervisor for Hung {
    /// Maximum number of restarts within a second.
    type Args = u64;

    fn init(restarts: u64) -> impl supervisor::InitReturn {
        let waiter = ChildSpec::of::<Waiter>(()).registered(SERVICE);
        let flags = SupFlags::one_for_one().intensity(restarts).period(1);
        (ok, (flags, vec![waiter, ChildSpec::of::<Watchdog>(())]))
    }
}

/// Answers, until the fault makes it wait for ever.
#[derive(Debug, Term)]
pub struct Waiter;

/// `ping`
#[derive(Debug, Term)]
#[reply(ok)]
pub struct Ping;

/// `never`: this message is never sent.
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

/// Kills a worker that does not answer.
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
