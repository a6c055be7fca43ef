//! A macro may write the whole block, but not a clause of it.

use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter(u64);

#[derive(Debug, Term)]
struct Push;

#[allow(unused_macros)]
macro_rules! clause {
    ($message:ty) => {
        fn handle_cast(&mut self, _: $message) -> HandleCast {
            noreply()
        }
    };
}

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> Init<Self> {
        Init::Ok(Counter(start))
    }

    clause!(Push);
}

fn main() {}
