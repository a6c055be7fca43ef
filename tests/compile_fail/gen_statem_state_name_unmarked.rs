//! A state function is marked.

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

    fn locked(&self, _: cast, _: Push) -> StateName<State> {
        keep_state()
    }
}

fn main() {}
