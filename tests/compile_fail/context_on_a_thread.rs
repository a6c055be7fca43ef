//! The context belongs to one call, and a thread may outlive the call.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Busy;

#[derive(Debug, Term)]
#[reply(Pid)]
struct Get;

#[gen_server]
impl GenServer for Busy {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Busy)
    }

    fn handle_call(&mut self, _: Get, cx: &Cx<'_>) -> HandleCall<Pid> {
        std::thread::spawn(move || cx.send(&cx.pid(), 1));
        reply(cx.pid())
    }
}

fn main() {}
