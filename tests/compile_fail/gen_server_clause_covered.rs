//! A clause for every term takes what the clause below it is for.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug, Term)]
struct Tick;

#[derive(Debug)]
struct Counter(u64);

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl InitReturn<Self> {
        (ok, Counter(start))
    }

    fn handle_info(&mut self, _: Term) -> HandleInfo {
        noreply()
    }

    fn handle_info(&mut self, _: Tick) -> HandleInfo {
        noreply()
    }
}

fn main() {}
