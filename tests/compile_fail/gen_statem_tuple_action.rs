//! A wrong transition action in a tuple.

use otp_bridge::atoms::{cast, ok, state_timeout};
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

    fn handle_event(&self, _: cast, _: Push, _: State) -> impl HandleEventReturn<State> {
        (otp_bridge::atoms::keep_state_and_data, (state_timeout, 100))
    }
}

fn main() {}
