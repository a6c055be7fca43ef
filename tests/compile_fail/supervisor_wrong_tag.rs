//! `{error, …}` instead of `{ok, …}`.

use otp_bridge::supervisor::prelude::*;

struct Root;

#[supervisor]
impl Supervisor for Root {
    type Args = ();

    fn init(_: ()) -> impl InitReturn {
        (otp_bridge::atoms::error, (SupFlags::one_for_one(), Vec::<ChildSpec>::new()))
    }
}

fn main() {}
