//! An operation in a variable that nothing uses does nothing.

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

    async fn handle_cast(&mut self, _: Get, cx: &Cx<'_>) -> Result<HandleCast> {
        let _later = cx.call(&otp_bridge::atom!("other"), Get);
        noreply()
    }
}

fn main() {}
