//! A supervisor has no state to keep secret.

use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

struct Stroot;

#[supervisor(secret)]
impl Supervisor for Stroot {
    type Args = ();

    fn init(_: ()) -> impl InitReturn {
        (ok, (SupFlags::one_for_one(), vec![]))
    }
}

fn main() {}
