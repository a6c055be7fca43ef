//! Nobody could reply to the request: its caller is not among the arguments.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter(u64);

#[derive(Debug, Term)]
#[reply(u64)]
struct Get;

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl InitReturn<Self> {
        (ok, Counter(start))
    }

    fn handle_call(&mut self, _: Get) -> impl HandleCallReturn<u64> {
        otp_bridge::atoms::noreply
    }
}

fn main() {}
