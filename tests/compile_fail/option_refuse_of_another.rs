//! A supervisor has no messages to refuse.

use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

struct Stroot;

#[supervisor(bad_messages = "refuse")]
impl Supervisor for Stroot {
    type Args = ();

    fn init(_: ()) -> impl InitReturn {
        (ok, (SupFlags::one_for_one(), vec![]))
    }
}

fn main() {}
