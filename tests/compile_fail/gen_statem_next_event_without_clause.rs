//! A machine has a clause for the events that it makes itself.

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
        next_state_actions(Level::On, next_event(otp_bridge::atoms::internal, Push))
    }

    #[state_name]
    fn on(&mut self, _: cast, _: Push) -> StateName<Level> {
        next_state(Level::Off)
    }
}

fn main() {}
