//! A message that a server sends to itself has a clause.

use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug, Term)]
struct Tick;

#[derive(Debug)]
struct Clock;

#[gen_server]
impl GenServer for Clock {
    type Args = ();

    fn init(_: (), cx: &Cx<'_>) -> impl InitReturn<Self> {
        cx.send_interval(Duration::from_secs(1), Tick);
        (ok, Clock)
    }
}

fn main() {}
