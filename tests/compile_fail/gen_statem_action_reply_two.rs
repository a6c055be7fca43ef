//! A wrong transition action: the message has the forms of `action()`.

use otp_bridge::atoms::{cast, ok};
use otp_bridge::gen_statem::prelude::*;

#[derive(Debug)]
struct Lock;

#[derive(Debug, Clone, PartialEq, Term)]
enum State {
    Locked,
}

#[derive(Debug, Term)]
struct Push;

#[gen_statem]
impl GenStatem for Lock {
    type Args = ();
    type State = State;

    fn init(_: ()) -> impl InitReturn<State, Self> {
        (ok, State::Locked, Lock)
    }

    fn handle_event(&self, _: cast, _: Push, _: State) -> HandleEvent<State> {
        keep_state_actions((otp_bridge::atoms::reply, 5))
    }
}

fn main() {}
