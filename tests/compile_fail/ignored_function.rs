//! A function that awaits does nothing until it is awaited.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter(u64);

#[derive(Debug, Term)]
#[reply(u64)]
struct Get;

impl Counter {
    async fn tell(&self, cx: &Cx<'_>) -> Result<u64> {
        cx.call(&otp_bridge::atom!("other"), Get).await
    }
}

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl InitReturn<Self> {
        (ok, Counter(start))
    }

    async fn handle_cast(&mut self, _: Get, cx: &Cx<'_>) -> Result<HandleCast> {
        _ = self.tell(cx);
        noreply()
    }
}

fn main() {}
