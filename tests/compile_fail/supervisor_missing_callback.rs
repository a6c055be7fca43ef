//! There is no `init/1`.

use otp_bridge::supervisor::prelude::*;

struct Root;

#[supervisor]
impl Supervisor for Root {
    type Args = ();

}

fn main() {}
