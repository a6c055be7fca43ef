//! An operation that is thrown away does nothing, whatever is said of its type.

use otp_bridge::Await;
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
        let _: Await<'_, u64, _> = cx.call(&otp_bridge::atom!("other"), Get);
        noreply()
    }
}

fn main() {}
