//! A process and its handlers may move to another scheduler thread.

use otp_bridge::atoms::ok;
use otp_bridge::gen_event::prelude::*;

use std::rc::Rc;

#[derive(Debug)]
struct Ear(Rc<u64>);

#[derive(Debug, Term)]
struct Heard;

#[gen_event]
impl GenEvent for Ear {
    type InitArgs = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Ear(Rc::new(1)))
    }

    fn handle_event(&mut self, _: Heard) -> HandleEvent {
        otp_bridge::gen_event::HandleEvent::Ok
    }
}

fn main() {}
