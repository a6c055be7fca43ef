//! A state machine handles events.

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

    fn handle_event_enter(&mut self, _: Level, _: Level) -> HandleEventEnter {
        keep_state()
    }
}

fn main() {}
