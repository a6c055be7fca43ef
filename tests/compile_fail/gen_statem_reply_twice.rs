//! A caller is replied to once: later, or by an action.

use otp_bridge::atoms::ok;
use otp_bridge::gen_statem::prelude::*;

#[derive(Debug, Clone, PartialEq, Term)]
enum Door {
    Locked,
}

#[derive(Debug, Term)]
#[reply(bool)]
struct Knock;

#[derive(Debug)]
struct Lock;

#[gen_statem]
impl GenStatem for Lock {
    type Args = ();
    type State = Door;

    fn init(_: ()) -> impl InitReturn<Door, Self> {
        (ok, Door::Locked, Lock)
    }

    fn handle_event(
        &self,
        (_, caller): (call, Caller<bool>),
        _: Knock,
        _: Door,
        cx: &Cx<'_>,
    ) -> HandleEvent<Door> {
        caller.reply(cx, true);
        keep_state_actions(reply(caller, true))
    }
}

fn main() {}
