//! A supervisor has no state.

use otp_bridge::atoms::{ok};
use otp_bridge::supervisor::prelude::*;

struct Root;

#[supervisor]
impl Supervisor for Root {
    type Args = Vec<String>;

    fn init(&self, _: Vec<String>) -> impl InitReturn {
        (ok, (SupFlags::one_for_one(), vec![]))
    }
}

fn main() {}
