//! A message may be moved between threads.

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

    async fn handle_cast(&self, _: Get, cx: &Cx<'_>) -> HandleCast {
        let held = std::rc::Rc::new(5);
        cx.sleep(std::time::Duration::from_secs(1)).await;
        drop(held);
        noreply()
    }
}

fn main() {}
