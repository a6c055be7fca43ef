//! An operation does nothing until it is awaited.

use std::time::Duration;

use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter;

/// `tick`
#[derive(Debug, Term)]
struct Tick;

#[gen_server]
impl GenServer for Counter {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Counter)
    }

    async fn handle_cast(&mut self, _: Tick, cx: &Cx<'_>) -> Result<HandleCast> {
        cx.sleep(Duration::from_secs(1));
        cx.call(&atom!("other"), Ask).await?;
        noreply()
    }
}

/// `ask`
#[derive(Debug, Term)]
#[reply(u64)]
struct Ask;

fn main() {}
