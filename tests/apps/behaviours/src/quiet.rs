//! An event handler that takes over from the tally.
use otp_bridge::atoms::ok;
use otp_bridge::gen_event::prelude::*;

use crate::tally::TakenOver;

/// The sum taken over.
#[derive(Debug)]
pub struct Quiet(TakenOver);

/// `taken`: returns the sum.
#[derive(Debug, Term)]
#[reply(i64)]
pub struct Taken;

#[gen_event]
impl GenEvent for Quiet {
    /// `{in, TerminateReturned}`, from `swap_handler`.
    type InitArgs = (Atom, TakenOver);

    fn init((_, taken): (Atom, TakenOver)) -> impl InitReturn<Self> {
        (ok, Quiet(taken))
    }

    fn handle_event(&self, _: Term) -> impl HandleEventReturn {
        ok
    }

    fn handle_call(&self, _: Taken) -> impl HandleCallReturn<i64> {
        let Quiet(TakenOver(_, sum)) = self;
        (ok, *sum)
    }
}
