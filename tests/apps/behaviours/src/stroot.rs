//! The application's root supervisor.
use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_event::Manager;
use otp_bridge::supervisor::prelude::*;

use crate::outside::Outside;

/// Starts an event manager and the bridge; the tests start state machines themselves.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(_: Vec<String>) -> impl InitReturn {
        let events = Manager::child_spec(atom!("events"));
        let outside = ChildSpec::of::<Outside>(atom!("part"));
        (ok, (SupFlags::one_for_one(), vec![events, outside]))
    }
}
