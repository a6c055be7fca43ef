//! The type of a block is one that there is.

use otp_bridge::atoms::ok;
use otp_bridge::gen_statem::prelude::*;

#[derive(Debug)]
struct Lock;

#[derive(Debug, Clone, PartialEq, Term)]
enum Door {
    Locked,
}

#[derive(Debug, Term)]
struct Knock;

#[gen_statem]
impl GenStatem for Lok {
    type Args = ();
    type State = Door;

    fn init(_: ()) -> impl InitReturn<Door, Self> {
        (ok, Door::Locked, Lock)
    }

    fn handle_event(&self, _: cast, _: Knock, _: Door) -> HandleEvent<Door> {
        keep_state()
    }
}

fn main() {}
