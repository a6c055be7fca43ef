//! With one enter clause OTP makes enter calls in every state.

use otp_bridge::atoms::ok;
use otp_bridge::gen_statem::prelude::*;

#[derive(Debug, Clone, PartialEq, Term)]
enum Level {
    Off,
    On,
}

#[derive(Debug, Term)]
struct Push;

#[derive(Debug)]
struct Switch;

#[gen_statem]
impl GenStatem for Switch {
    type Args = ();
    type State = Level;

    fn init(_: ()) -> impl InitReturn<Level, Self> {
        (ok, Level::Off, Switch)
    }

    #[state_name]
    fn off(&mut self, _: cast, _: Push) -> StateName<Level> {
        next_state(Level::On)
    }

    #[state_name_enter]
    fn on(&mut self, _: Level) -> StateNameEnter {
        keep_state()
    }

    #[state_name]
    fn on(&mut self, _: cast, _: Push) -> StateName<Level> {
        next_state(Level::Off)
    }
}

fn main() {}
