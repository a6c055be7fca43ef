//! A clause of `handle_continue` for another type does not take it.

use otp_bridge::atoms::{continue_, noreply, ok};
use otp_bridge::gen_server::prelude::*;

#[derive(Debug, Term)]
struct Tick;

#[derive(Debug)]
struct Counter(u64);

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl InitReturn<Self> {
        (ok, Counter(start))
    }

    fn handle_cast(&mut self, _: Tick) -> impl HandleCastReturn {
        (noreply, (continue_, Tick))
    }

    fn handle_continue(&mut self, by: u64) -> HandleContinue {
        self.0 += by;
        otp_bridge::gen_server::HandleContinue::Noreply
    }
}

fn main() {}
