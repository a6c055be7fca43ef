//! Servers that log in spans of their callers.
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use tracing::{Instrument, info, info_span};

/// The registered process that handlers call.
pub static WORK: Server<Work> = Server::registered();
/// The registered process that this one calls.
pub static AUDIT: Server<Audit> = Server::registered();

/// Works for its callers.
#[derive(Debug, Term)]
pub struct Work;

/// `begin`: works, and waits in between.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Begin;

/// `later`: comes from a timer.
#[derive(Debug, Term)]
pub struct Later;

#[gen_server]
impl GenServer for Work {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Work)
    }

    async fn handle_call(&mut self, _: Begin, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        info!("begins");
        cx.cast(&AUDIT, Note);
        let step = async {
            cx.cast(&AUDIT, Note);
            cx.call(&AUDIT, Ask).await
        };
        let asked = step.instrument(info_span!("step", number = 1)).await?;
        let waits = async { cx.tokio(async { info!("on Tokio") }).await };
        waits.instrument(info_span!("wait")).await?;
        cx.spawn_task(async |_| {
            info!("in a task");
            Ok(())
        })
        .await?;
        info!("goes on");
        cx.send_after(Duration::from_millis(1), Later);
        reply(asked)
    }

    fn handle_info(&mut self, _: Later) -> HandleInfo {
        info!("later");
        noreply()
    }
}

/// Is asked by the other process.
#[derive(Debug, Term)]
pub struct Audit;

/// `ask`: returns a number.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Ask;

/// `note`: is logged.
#[derive(Debug, Term)]
pub struct Note;

#[gen_server]
impl GenServer for Audit {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Audit)
    }

    fn handle_call(&mut self, _: Ask) -> HandleCall<u64> {
        info!("asked");
        reply(7)
    }

    fn handle_cast(&mut self, _: Note) -> HandleCast {
        info!("noted");
        noreply()
    }
}
