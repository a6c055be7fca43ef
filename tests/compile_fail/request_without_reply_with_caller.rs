//! A request must say what the reply is, also for a reply that comes later.

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

    fn handle_call(&self, _: Get, caller: Caller<u64>, cx: &Cx<'_>) -> HandleCallNoreply {
        caller.reply(cx, self.0);
        noreply()
    }
}

fn main() {}
