//! `handle_event/2` of gen_event gives `ok`.

use otp_bridge::atoms::ok;
use otp_bridge::gen_event::prelude::*;

#[derive(Debug)]
struct Logger;

#[derive(Debug, Term)]
struct Logged;

#[gen_event]
impl GenEvent for Logger {
    type InitArgs = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Logger)
    }

    fn handle_event(&mut self, _: Logged) -> impl HandleEventReturn {
        (ok, Logger)
    }
}

fn main() {}
