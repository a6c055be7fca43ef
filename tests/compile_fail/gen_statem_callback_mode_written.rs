//! The mode follows from the callbacks. Written, it could say another.

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

    fn callback_mode() -> impl otp_bridge::gen_statem::CallbackModeReturn {
        otp_bridge::atoms::state_functions
    }

    fn handle_event(&mut self, _: cast, _: Push, _: Level) -> HandleEvent<Level> {
        next_state(Level::On)
    }
}

fn main() {}
