//! A list of actions of several kinds is looked into, too.

use std::time::Duration;

use otp_bridge::atoms::{ok, postpone, state_timeout};
use otp_bridge::gen_statem::prelude::*;
use otp_bridge::list;

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
        next_state_actions(
            Level::On,
            list![postpone, (state_timeout, Duration::from_secs(1), "off")],
        )
    }
}

fn main() {}
