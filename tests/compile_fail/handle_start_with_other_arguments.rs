//! `handle_start` is given what the process is started with.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter(u64);

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl InitReturn<Self> {
        (ok, Counter(start))
    }

    fn handle_start(&mut self, name: String) -> HandleStart {
        noreply()
    }
}

fn main() {}
