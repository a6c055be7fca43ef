//! When a state has timed out, the event `state_timeout` comes.

use std::time::Duration;

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
        let timeout = (otp_bridge::atoms::state_timeout, Duration::from_secs(1), "off");
        next_state_actions(Level::On, timeout)
    }
}

fn main() {}
