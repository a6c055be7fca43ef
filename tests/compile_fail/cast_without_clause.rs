//! `Counter` has no clause of `handle_cast/2`.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter(u64);

#[derive(Debug, Term)]
struct Reset;

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl InitReturn<Self> {
        (ok, Counter(start))
    }
}

fn reset(cx: &Cx<'_>, counter: &Server<Counter>) {
    cx.cast(counter, Reset);
}

fn main() {}
