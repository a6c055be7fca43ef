//! A request must say what the reply is, also of an `async` clause.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter(u64);

#[derive(Debug, Term)]
struct Get;

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl InitReturn<Self> {
        (ok, Counter(start))
    }

    async fn handle_call(&self, _: Get, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        cx.sleep(std::time::Duration::from_secs(1)).await;
        reply(self.0)
    }
}

fn main() {}
