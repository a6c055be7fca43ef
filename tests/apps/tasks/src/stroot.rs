//! The application's root supervisor.
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

/// Starts nothing: the tests start what they need.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(_: Vec<String>) -> impl InitReturn {
        (ok, (SupFlags::one_for_one().intensity(1).period(5), vec![]))
    }
}
