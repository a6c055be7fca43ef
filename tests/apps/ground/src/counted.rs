//! A server that counts how often its state was shown.
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

static SHOWN: AtomicU64 = AtomicU64::new(0);

/// The state.
pub struct Counted;

impl fmt::Debug for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        SHOWN.fetch_add(1, Ordering::Relaxed);
        f.write_str("Counted")
    }
}

/// `shown`: returns how often any state was shown.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Shown;

#[gen_server]
impl GenServer for Counted {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Counted)
    }

    fn handle_call(&self, _: Shown) -> HandleCall<u64> {
        reply(SHOWN.load(Ordering::Relaxed))
    }

    fn terminate(&mut self, _: &TerminateReason) {}
}
