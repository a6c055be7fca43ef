//! A callback mode that there is not.

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

    fn callback_mode() -> impl CallbackModeReturn {
        ok
    }

    fn handle_event(&self, _: cast, _: Push, _: State) -> HandleEvent<State> {
        keep_state()
    }
}

fn main() {}
