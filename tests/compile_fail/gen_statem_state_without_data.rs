use otp_bridge::atoms::{cast, ok};
use otp_bridge::gen_statem::prelude::*;
use otp_bridge_novm as _;

#[derive(Debug)]
struct Lock;

#[derive(Debug, Clone, PartialEq, Term)]
enum State {
    Locked,
}

/// `push`
#[derive(Debug, Term)]
struct Push;

#[gen_statem]
impl GenStatem for Lock {
    type Args = ();
    type State = State;

    // `{ok, State, Data}`
    fn init(_: ()) -> impl InitReturn<State, Self> {
        (ok, Lock)
    }

    fn handle_event(&self, _: cast, _: Push, _: State) -> HandleEvent<State> {
        keep_state()
    }
}

fn main() {}
