//! What is sent is a term.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter(u64);

struct Push;

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl InitReturn<Self> {
        (ok, Counter(start))
    }

    fn handle_call(&mut self, _: Push) -> HandleCall<u64> {
        reply(self.0)
    }
}

async fn tell(counter: &Server<Counter>, cx: &Cx<'_>) -> Result<u64> {
    cx.call(counter, Push).await
}

fn main() {}
