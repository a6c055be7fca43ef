//! An actor that counts the messages it receives.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

use crate::bench::{BENCH, Done};

/// Tells the bench when it has received all messages.
#[derive(Debug, Term)]
pub struct Counter {
    missing: u64,
}

/// `note`
#[derive(Debug, Term)]
pub struct Note;

#[gen_server]
impl GenServer for Counter {
    /// Number of notes to wait for.
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
