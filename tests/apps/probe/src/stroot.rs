//! The root supervisor.
use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::echo::Echo;

/// Starts the echo server; the tests start probes themselves.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(_: Vec<String>) -> impl InitReturn {
        let flags = SupFlags::one_for_one().intensity(10).period(5);
        let echo = ChildSpec::of::<Echo>(()).registered(atom!("echo"));
        (ok, (flags, vec![echo]))
    }
}
