//! The state is taken by value.

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

    fn handle_call(&mut self, _: Get, _from: From<u64>) -> HandleCall<u64, Self> {
        reply(self.0, self)
    }
}

fn main() {}
