//! A caller gets one reply, so it cannot be copied.

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

    fn handle_call(&mut self, _: Get, caller: Caller<u64>, cx: &Cx<'_>) -> HandleCallNoreply {
        caller.clone().reply(cx, 1);
        caller.reply(cx, 2);
        noreply()
    }
}

fn main() {}
