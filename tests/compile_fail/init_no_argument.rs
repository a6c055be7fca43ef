//! `init/1` takes the start argument.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter(u64);

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init() -> impl InitReturn<Self> {
        (ok, Counter(0))
    }
}

fn main() {}
