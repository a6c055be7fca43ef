//! A clause of `handle_call/3` replies.

use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter(u64);

#[derive(Debug, Term)]
#[reply(u64)]
struct Get;

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> Init<Self> {
        Init::Ok(Counter(start))
    }

    fn handle_call(&mut self, _: Get) {
        self.0 += 1;
    }
}

fn main() {}
