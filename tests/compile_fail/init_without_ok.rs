//! `init/1` does not return the state alone.

use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter(u64);

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl InitReturn<Self> {
        Counter(start)
    }
}

fn main() {}
