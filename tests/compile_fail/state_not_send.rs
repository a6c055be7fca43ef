//! A process and its state may move to another scheduler thread.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

use std::rc::Rc;

#[derive(Debug)]
struct Counter(Rc<u64>);

#[derive(Debug, Term)]
#[reply(u64)]
struct Get;

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl InitReturn<Self> {
        (ok, Counter(Rc::new(start)))
    }

    fn handle_call(&self, _: Get) -> HandleCall<u64> {
        reply(*self.0)
    }
}

fn main() {}
