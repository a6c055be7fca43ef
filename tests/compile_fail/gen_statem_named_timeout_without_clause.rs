//! A timeout with a name is an event of its own type.

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
        next_state_actions(Level::On, timeout_named(1_u64, Duration::from_secs(1), Push))
    }

    fn handle_event(&mut self, _: timeout, _: Term, _: Level) -> HandleEvent<Level> {
        next_state(Level::Off)
    }
}

fn main() {}
