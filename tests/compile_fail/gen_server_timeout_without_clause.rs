//! After a timeout the message `timeout` comes.

use std::time::Duration;

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

    fn handle_cast(&mut self, _: Tick) -> HandleCast {
        noreply_with(Duration::from_secs(1))
    }

    fn handle_info(&mut self, _: Tick) -> HandleInfo {
        noreply()
    }
}

fn main() {}
