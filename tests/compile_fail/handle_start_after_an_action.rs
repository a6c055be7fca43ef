//! `handle_start` comes next, so `init` cannot have something else come next.

use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter(u64);

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl InitReturn<Self> {
        (ok, Counter(start), Duration::from_secs(1))
    }

    fn handle_start(&mut self, _: u64) -> HandleStart {
        noreply()
    }
}

fn main() {}
