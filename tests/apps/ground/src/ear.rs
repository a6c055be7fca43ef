//! An event handler whose state is a term.
use otp_bridge::atoms::ok;
use otp_bridge::gen_event::prelude::*;

/// The state: `{ear, Heard}`.
#[derive(Debug, Term)]
pub struct Ear(pub u64);

/// `heard`: returns the number of events.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Heard;

#[gen_event]
impl GenEvent for Ear {
    type InitArgs = u64;

    fn init(heard: u64) -> impl InitReturn<Self> {
        (ok, Ear(heard))
    }

    fn handle_event(&mut self, _: Term) -> impl HandleEventReturn {
        self.0 += 1;
        ok
    }

    fn handle_call(&self, _: Heard) -> impl HandleCallReturn<u64> {
        (ok, self.0)
    }
}
