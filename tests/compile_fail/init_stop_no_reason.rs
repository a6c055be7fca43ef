//! `{stop, Reason}` has a reason.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter(u64);

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(_: u64) -> impl InitReturn<Self> {
        stop()
    }
}

fn main() {}
