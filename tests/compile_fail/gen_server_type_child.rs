//! Only a supervisor has children.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Line;

#[gen_server]
impl GenServer for Line {
    type Args = ();
    type Child = Line;

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Line)
    }
}

fn main() {}
