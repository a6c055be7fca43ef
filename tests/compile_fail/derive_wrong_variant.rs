//! A wrong derive of an enum is one message, and not one wherever the type is used.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter(u64);

#[derive(Debug, Term)]
enum Command {
    Move { x: i32, y: i32 },
    Stop,
}

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl InitReturn<Self> {
        (ok, Counter(start))
    }

    fn handle_cast(&self, _: Command) -> HandleCast {
        noreply()
    }
}

fn main() {}
