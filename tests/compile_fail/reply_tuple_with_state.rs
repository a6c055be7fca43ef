//! `NewState` is left out.

use otp_bridge::atoms::{ok, reply};
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

    fn handle_call(&mut self, _: Get) -> impl HandleCallReturn<u64> {
        (reply, self.0, Counter(1))
    }
}

fn main() {}
