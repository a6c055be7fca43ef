//! `noreply` is a function or an atom, not both.

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

    async fn handle_cast(&self, _: Get) -> Result<HandleCast> {
        Ok((noreply(), 5))
    }
}

fn main() {}
