//! `init` builds a state on a scheduler's stack.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Roomy {
    bytes: [u8; 64 * 1024],
}

#[derive(Debug, Term)]
#[reply(u8)]
struct Get(u16);

#[gen_server]
impl GenServer for Roomy {
    type Args = u8;

    fn init(byte: u8) -> impl InitReturn<Self> {
        (ok, Roomy { bytes: [byte; 64 * 1024] })
    }

    fn handle_call(&mut self, Get(place): Get) -> HandleCall<u8> {
        reply(self.bytes[usize::from(place)])
    }
}

fn main() {}
