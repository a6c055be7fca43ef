//! The root supervisor.
use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::traveller::Traveller;

/// Starts the traveller.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(_: Vec<String>) -> impl InitReturn {
        let traveller = ChildSpec::of::<Traveller>(());
        let traveller = traveller.registered(atom!("traveller"));
        (ok, (SupFlags::one_for_one(), vec![traveller]))
    }
}
