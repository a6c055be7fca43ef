//! `restart` is permanent, transient or temporary.

use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

struct Root;

#[supervisor]
impl Supervisor for Root {
    type Args = ();

    fn init(_: ()) -> impl InitReturn {
        (ok, (SupFlags::one_for_one(), vec![ChildSpec::of::<Root>(()).restart("soon")]))
    }
}

fn main() {}
