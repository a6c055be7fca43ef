//! An enter call cannot postpone an event: there is none.

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

    fn handle_event(&mut self, _: cast, _: Push, _: Level) -> HandleEvent<Level> {
        next_state(Level::On)
    }

    fn handle_event_enter(&mut self, _: Level, _: Level) -> HandleEventEnter {
        keep_state_actions(otp_bridge::atoms::postpone)
    }
}

fn main() {}
