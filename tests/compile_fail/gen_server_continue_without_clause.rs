//! What a callback continues with, it has a clause for.

use otp_bridge::atoms::{continue_, ok};
use otp_bridge::gen_server::prelude::*;

#[derive(Debug, Term)]
struct Tick;

#[derive(Debug)]
struct Counter(u64);

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl InitReturn<Self> {
        (ok, Counter(start), (continue_, Tick))
    }
}

fn main() {}
