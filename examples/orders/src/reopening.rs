//! After a start, the process that starts the processes of all open orders again, so that those
//! that are not paid in time are cancelled.
use std::time::Duration;

use otp_bridge::atoms::{continue_, normal, ok};
use otp_bridge::gen_server::prelude::*;

use crate::{database, order};

/// How many orders are read at a time.
const BATCH: i64 = 500;

/// The pause after an attempt that failed, as it does while the database is away.
const PAUSE: Duration = Duration::from_secs(1);

/// The state: the last order that was reopened.
#[derive(Debug, Term)]
pub struct Reopening {
    last: i64,
}

/// `next`: the next orders.
#[derive(Debug, Term)]
pub struct Next;

#[gen_server]
impl GenServer for Reopening {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Reopening { last: 0 }, (continue_, Next))
    }

    async fn handle_continue(&mut self, _: Next, cx: &Cx<'_>) -> Result<HandleContinue> {
        let Ok(orders) = database::open_after(cx, self.last, BATCH).await else {
            cx.sleep(PAUSE).await?;
            return noreply_with((continue_, Next));
        };
        if orders.is_empty() {
            return stop(normal);
        }
        for order in orders {
            order::open(cx, order).await?;
            self.last = order.number;
        }
        noreply_with((continue_, Next))
    }
}
