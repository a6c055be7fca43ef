//! An event handler has no process of its own.

use otp_bridge::atoms::ok;
use otp_bridge::gen_event::prelude::*;
use otp_bridge::supervisor::ChildSpec;

#[derive(Debug)]
struct Sales(u64);

#[gen_event]
impl GenEvent for Sales {
    type InitArgs = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Sales(0))
    }

    fn handle_event(&mut self, _: Term) -> impl HandleEventReturn {
        ok
    }
}

fn child() -> ChildSpec {
    ChildSpec::of::<Sales>(())
}

fn main() {}
