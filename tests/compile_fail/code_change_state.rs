//! `code_change/3` makes the state from the old one.

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

    fn code_change(_: Term, old: u64, _: Term) -> impl CodeChangeReturn<Self> {
        (ok, 5)
    }
}

fn main() {}
