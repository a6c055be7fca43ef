//! There is no such callback. This is the only message, also where the module is started.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::supervisor::ChildSpec;

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

    fn handle_cal(&self, _: Get) -> HandleCall<u64> {
        reply(self.0)
    }
}

fn main() {
    let _ = ChildSpec::of::<Counter>(0);
}
