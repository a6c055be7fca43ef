//! `terminate/2` gives a term.

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

    fn terminate(&mut self, _: &Term) -> std::rc::Rc<std::cell::Cell<u8>> {
        std::rc::Rc::default()
    }
}

fn main() {}
