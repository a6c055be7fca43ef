//! A type of all atoms does not say which functions there have to be.

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
    type State = Atom;

    fn init(_: ()) -> impl InitReturn<Atom, Self> {
        (ok, Atom::from(otp_bridge::atom!("off")), Switch)
    }

    #[state_name]
    fn off(&mut self, _: cast, _: Push) -> StateName<Atom> {
        keep_state()
    }
}

fn main() {}
