//! The supervisor flags are left out.

use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

struct Root;

#[supervisor]
impl Supervisor for Root {
    type Args = ();

    fn init(_: ()) -> impl InitReturn {
        (ok, Vec::<ChildSpec>::new())
    }
}

fn main() {}
