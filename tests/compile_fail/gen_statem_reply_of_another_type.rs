//! A reply has the type of the request.

use otp_bridge::atoms::{call, ok};
use otp_bridge::gen_statem::prelude::*;

#[derive(Debug)]
struct Lock;

#[derive(Debug, Clone, PartialEq, Term)]
enum State {
    Locked,
}

#[derive(Debug, Term)]
#[reply(bool)]
struct Get;

#[gen_statem]
impl GenStatem for Lock {
    type Args = ();
    type State = State;

    fn init(_: ()) -> impl InitReturn<State, Self> {
        (ok, State::Locked, Lock)
    }

    fn handle_event(&self, (_, caller): (call, Caller<bool>), _: Get, _: State) -> HandleEvent<State> {
        keep_state_actions(reply(caller, 5))
    }
}

fn main() {}
