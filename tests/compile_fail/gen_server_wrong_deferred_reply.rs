//! A deferred answer has the type of the request too.

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

    async fn handle_call(self, _: Get, from: From<u64>, cx: &Cx) -> Result<HandleCall<u64, Self>> {
        from.reply(cx, "seven").await?;
        noreply(self)
    }
}

fn main() {}
