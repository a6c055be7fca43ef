//! A mistake in a block with conditions is reported where it is.

use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter(u64);

#[derive(Debug, Term)]
struct Push;

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> Init<Self> {
        Init::Ok(Counter(start))
    }

    #[cfg(all())]
    fn handle_cast(&mut self, _: Push) -> HandleCast {
        HandleCast::Stop
    }
}

fn main() {}
