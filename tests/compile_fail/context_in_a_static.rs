//! The context belongs to one call, and a static outlives the call.

use std::sync::Mutex;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

static CONTEXT: Mutex<Option<&'static Cx<'static>>> = Mutex::new(None);

#[derive(Debug)]
struct Keeper;

#[derive(Debug, Term)]
#[reply(Pid)]
struct Get;

#[gen_server]
impl GenServer for Keeper {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Keeper)
    }

    fn handle_call(&mut self, _: Get, cx: &Cx<'_>) -> HandleCall<Pid> {
        if let Ok(mut context) = CONTEXT.lock() {
            *context = Some(cx);
        }
        reply(cx.pid())
    }
}

fn main() {}
