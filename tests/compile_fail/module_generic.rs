//! A module is one type.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter<T>(T);

#[derive(Debug, Term)]
#[reply(u64)]
struct Get;

#[gen_server]
impl<T> GenServer for Counter<T> {
    type Args = u64;

    fn handle_call(&self, _: Get) -> HandleCall<u64> {
        reply(self.0)
    }
}

fn main() {}
