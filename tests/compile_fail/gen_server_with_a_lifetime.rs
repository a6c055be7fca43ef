//! The state lives as long as its process.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter<'a>(&'a str);

#[gen_server]
impl GenServer for Counter<'_> {
    type Args = u64;

    fn init(_: u64) -> impl InitReturn<Self> {
        (ok, Counter(""))
    }
}

fn main() {}
