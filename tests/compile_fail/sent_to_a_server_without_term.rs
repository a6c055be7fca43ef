//! What is sent is a term.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter(u64);

struct Push;

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl InitReturn<Self> {
        (ok, Counter(start))
    }

    fn handle_cast(&mut self, _: Push) -> HandleCast {
        noreply()
    }
}

fn tell(counter: &Server<Counter>, cx: &Cx<'_>) {
    cx.cast(counter, Push);
}

fn main() {}
