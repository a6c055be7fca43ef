//! The request of a call says what the reply is.

use otp_bridge::atoms::ok;
use otp_bridge::gen_statem::prelude::*;

#[derive(Debug)]
struct Lock;

#[derive(Debug, Clone, PartialEq, Term)]
enum Door {
    Locked,
}

#[derive(Debug, Term)]
struct Knock;

#[gen_statem]
impl GenStatem for Lock {
    type Args = ();
    type State = Door;

    fn init(_: ()) -> impl InitReturn<Door, Self> {
        (ok, Door::Locked, Lock)
    }

    fn handle_event(&self, (_, caller): (call, Caller<bool>), _: Knock, _: Door) -> HandleEvent<Door> {
        keep_state_actions(reply(caller, true))
    }
}

fn main() {}
