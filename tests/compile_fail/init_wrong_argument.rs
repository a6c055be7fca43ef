//! `init/1` takes what `Args` says.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter(u64);

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: String) -> impl InitReturn<Self> {
        (ok, Counter(start.len() as u64))
    }
}

fn main() {}
