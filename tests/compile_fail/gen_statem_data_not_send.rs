//! A process and its data may move to another scheduler thread.

use otp_bridge::atoms::ok;
use otp_bridge::gen_statem::prelude::*;

use std::rc::Rc;

#[derive(Debug)]
struct Lock(Rc<u64>);

#[derive(Debug, Clone, PartialEq, Term)]
enum Door {
    Locked,
}

#[derive(Debug, Term)]
struct Knock;

#[gen_statem]
impl GenStatem for Lock {
    type Args = ();
    type State = Door;

    fn init(_: ()) -> impl InitReturn<Door, Self> {
        (ok, Door::Locked, Lock(Rc::new(1)))
    }

    fn handle_event(&self, _: cast, _: Knock, _: Door) -> HandleEvent<Door> {
        keep_state()
    }
}

fn main() {}
