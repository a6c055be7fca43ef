//! The application's root supervisor. The benchmarks start the servers.
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

/// Starts nothing.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(_: Vec<String>) -> impl InitReturn {
        (ok, (SupFlags::one_for_one(), vec![]))
    }
}
