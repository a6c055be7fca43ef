//! What a module is started with is a term.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter(u64);

#[derive(Debug, Term)]
#[reply(u64)]
struct Get;

#[derive(Debug)]
struct Settings {
    start: u64,
}

#[gen_server]
impl GenServer for Counter {
    type Args = Settings;

    fn init(settings: Settings) -> impl InitReturn<Self> {
        (ok, Counter(settings.start))
    }

    fn handle_call(&self, _: Get) -> HandleCall<u64> {
        reply(self.0)
    }
}

fn main() {}
