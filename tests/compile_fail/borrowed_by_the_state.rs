//! What is borrowed ends with the call.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
pub struct Store {
    last: &'static [u8],
}

#[gen_server]
impl GenServer for Store {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Store { last: &[] })
    }

    fn handle_cast(&mut self, bytes: &[u8]) -> HandleCast {
        self.last = bytes;
        noreply()
    }
}

fn main() {}
