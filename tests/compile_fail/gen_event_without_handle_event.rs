//! Every event reaches every handler.

use otp_bridge::atoms::ok;
use otp_bridge::gen_event::prelude::*;

#[derive(Debug)]
struct Sales(u64);

#[gen_event]
impl GenEvent for Sales {
    type InitArgs = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Sales(0))
    }
}

fn main() {}
