//! An actor that counts what it gets.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

use crate::bench::{BENCH, Done};

/// Says when it has got everything.
#[derive(Debug, Term)]
pub struct Counter {
    missing: u64,
}

/// `note`
#[derive(Debug, Term)]
pub struct Note;

#[gen_server]
impl GenServer for Counter {
    /// How many notes it waits for.
    type Args = u64;

    fn init(missing: u64, cx: &Cx<'_>) -> impl InitReturn<Self> {
        if missing == 0 {
            cx.cast(&BENCH, Done);
        }
        (ok, Counter { missing })
    }

    fn handle_cast(&mut self, _: Note, cx: &Cx<'_>) -> HandleCast {
        self.missing -= 1;
        if self.missing == 0 {
            cx.cast(&BENCH, Done);
        }
        noreply()
    }
}
