//! An event handler whose state is not a term.
use otp_bridge::atoms::ok;
use otp_bridge::gen_event::prelude::*;

/// The state.
#[derive(Debug)]
pub struct Wall;

#[gen_event]
impl GenEvent for Wall {
    type InitArgs = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Wall)
    }

    fn handle_event(&self, _: Term) -> impl HandleEventReturn {
        ok
    }
}
