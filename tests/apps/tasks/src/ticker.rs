//! A server with a task that sleeps repeatedly, while callbacks wait.
use std::time::{Duration, Instant};

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::task::LocalCell;

/// Duration of each sleep.
const TICK: Duration = Duration::from_millis(20);

/// `ticks`: returns how often the task has slept.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Ticks;

/// `pause`: the callback sleeps.
#[derive(Debug, Term)]
#[reply(ok)]
pub struct Pause;

/// `hold`: the callback blocks its scheduler.
#[derive(Debug, Term)]
#[reply(ok)]
pub struct Hold;

#[derive(Debug)]
pub struct Ticker {
    ticks: LocalCell<u64>,
}

#[gen_server(bad_messages = "refuse")]
impl GenServer for Ticker {
    type Args = ();

    fn init(_: (), cx: &Cx<'_>) -> impl InitReturn<Self> {
        let ticks = cx.local(0);
        let counted = ticks.clone();
        cx.spawn_task::<(), _>(async move |cx| {
            loop {
                cx.sleep(TICK).await?;
                counted.with(|ticks| *ticks += 1);
            }
        })
        .linked();
        (ok, Ticker { ticks })
    }

    fn handle_call(&self, _: Ticks) -> HandleCall<u64> {
        reply(self.ticks.with(|ticks| *ticks))
    }

    fn handle_call(&self, _: Hold) -> HandleCall<ok> {
        let began = Instant::now();
        while began.elapsed() < TICK {}
        reply(ok)
    }

    async fn handle_call(&self, _: Pause, cx: &Cx<'_>) -> Result<HandleCall<ok>> {
        cx.sleep(TICK).await?;
        Ok(reply(ok))
    }
}
