//! An actor that computes.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

use crate::load;

/// Computes for each message, and then sends itself the next one.
#[derive(Debug, Term)]
pub struct Worker;

/// `work`
#[derive(Debug, Term)]
pub struct Work;

#[gen_server]
impl GenServer for Worker {
    type Args = ();

    fn init(_: (), cx: &Cx<'_>) -> impl InitReturn<Self> {
        cx.cast(&Server::<Worker>::from(cx.pid()), Work);
        (ok, Worker)
    }

    async fn handle_cast(&mut self, _: Work, cx: &Cx<'_>) -> Result<HandleCast> {
        for () in load::compute() {
            cx.checkpoint().await;
        }
        cx.cast(&Server::<Worker>::from(cx.pid()), Work);
        noreply()
    }
}
