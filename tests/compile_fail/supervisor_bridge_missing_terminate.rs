use otp_bridge::atoms::ignore;
use otp_bridge::supervisor_bridge::prelude::*;
use otp_bridge_novm as _;

#[derive(Debug)]
struct Printer;

#[supervisor_bridge]
impl SupervisorBridge for Printer {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        ignore
    }
}

fn main() {}
