use otp_bridge::atoms::ok;
use otp_bridge::gen_event::prelude::*;
use otp_bridge_novm as _;

#[derive(Debug)]
struct Tally(u64);

/// `count`
#[derive(Debug, Term)]
#[reply(u64)]
struct Count;

#[gen_event]
impl GenEvent for Tally {
    type InitArgs = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Tally(0))
    }

    fn handle_event(&self, _: Term) -> impl HandleEventReturn {
        ok
    }

    // `{ok, Reply, NewState}`
    fn handle_call(&self, _: Count) -> impl HandleCallReturn<u64> {
        ok
    }
}

fn main() {}
