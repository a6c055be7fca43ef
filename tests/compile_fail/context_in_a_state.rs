//! The context belongs to one call, and a state outlives the call.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Keeper {
    context: Option<&'static Cx<'static>>,
}

#[derive(Debug, Term)]
#[reply(Pid)]
struct Get;

#[gen_server]
impl GenServer for Keeper {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Keeper { context: None })
    }

    fn handle_call(&mut self, _: Get, cx: &Cx<'_>) -> HandleCall<Pid> {
        self.context = Some(cx);
        reply(cx.pid())
    }
}

fn main() {}
