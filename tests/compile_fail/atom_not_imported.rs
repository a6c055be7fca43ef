//! An atom is imported by its name.

use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter(u64);

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl InitReturn<Self> {
        (ok, Counter(start))
    }
}

fn main() {}
