//! The context belongs to one call: a state cannot keep it.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter {
    cx: Option<&'static Cx<'static>>,
}

#[derive(Debug, Term)]
struct Keep;

#[gen_server]
impl GenServer for Counter {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Counter { cx: None })
    }

    fn handle_cast(&mut self, _: Keep, cx: &Cx<'_>) -> HandleCast {
        self.cx = Some(cx);
        noreply()
    }
}

fn main() {}
