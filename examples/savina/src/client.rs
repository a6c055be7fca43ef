//! An actor that makes calls.

use std::time::Instant;

use otp_bridge::atoms::{continue_, ok};
use otp_bridge::gen_server::prelude::*;

use crate::bench::{BENCH, Times};
use crate::clerk::{Ask, CLERK};
use crate::load;

/// Calls the clerk, and reports how long after its due time each call was answered.
#[derive(Debug, Term)]
pub struct Client;

/// `{client, Index, Clients}`
#[derive(Debug, Term)]
pub struct Which(pub u32, pub u32);

#[gen_server]
impl GenServer for Client {
    type Args = Which;

    fn init(which: Which) -> impl InitReturn<Self> {
        (ok, Client, (continue_, which))
    }

    async fn handle_continue(
        &mut self,
        Which(index, clients): Which,
        cx: &Cx<'_>,
    ) -> Result<HandleContinue> {
        let mut times = Vec::new();
        for due in load::due(index, clients) {
            cx.sleep(load::until(due)).await?;
            cx.call(&CLERK, Ask).await?;
            times.push(nanoseconds(due));
        }
        cx.cast(&BENCH, Times(times));
        noreply()
    }
}

fn nanoseconds(due: Instant) -> u64 {
    u64::try_from(due.elapsed().as_nanos()).unwrap_or(u64::MAX)
}
