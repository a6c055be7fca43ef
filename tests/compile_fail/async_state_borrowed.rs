//! A future that is stored.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter(u64);

#[derive(Debug, Term)]
#[reply(u64)]
struct Get;

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl InitReturn<Self> {
        (ok, Counter(start))
    }

    async fn handle_call(&mut self, _: Get, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        let sleep = cx.sleep(std::time::Duration::from_secs(1));
        std::thread::spawn(move || drop(sleep));
        reply(self.0)
    }
}

fn main() {}
