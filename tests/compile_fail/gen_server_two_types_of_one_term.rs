//! Two requests are the same atom: the first clause would answer both.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

mod count {
    #[derive(Debug, otp_bridge::Term)]
    #[reply(u64)]
    pub struct Get;
}

mod name {
    #[derive(Debug, otp_bridge::Term)]
    #[reply(String)]
    pub struct Get;
}

#[derive(Debug)]
struct Counter(u64);

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl InitReturn<Self> {
        (ok, Counter(start))
    }

    fn handle_call(&mut self, _: count::Get) -> HandleCall<u64> {
        reply(self.0)
    }

    fn handle_call(&mut self, _: name::Get, caller: Caller<String>) -> HandleCallNoreply {
        drop(caller);
        noreply()
    }
}

fn main() {}
